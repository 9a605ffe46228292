import type { Fact } from '@bench-cli/report';
import { renderReport } from '@bench-cli/report/page';
import { counted, type SubjectNames } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import type { JudgedResults } from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import { caseCommand, sessionCommand } from './compare-command.ts';
import { readExplanations } from './explanation-file.ts';
import { writeOutput } from './output-file.ts';
import { resumeCommand } from './recording-text.ts';

interface ReportOptions extends Pick<CommandSettings<'analyze'>, 'title' | 'profiles'> {
  readonly html: string;
}

/** Writes the page about a file of results. */
export function writeReport(
  file: string | undefined,
  judged: JudgedResults,
  { html: output, title, profiles }: ReportOptions,
  terminal: Terminal,
): void {
  const { names, recordings, list } = judged;
  const request = recordings[0]?.session.request;
  const html = renderReport({
    ...judged,
    title: title ?? titleOf(names),
    explanations: readExplanations(file, profiles),
    facts: unfinished(recordings, file),
    command: sessionCommand(request),
    commandFor: (comparison) => caseCommand(request, comparison),
  });
  writeOutput(output, html);
  terminal.notice(`${output}: ${counted(list.comparisons.length, 'comparison')}, ${sizeText(html.length)}`);
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function titleOf(names: SubjectNames): string {
  const [baseline, ...others] = names.values();
  return `${others.join(', ')} compared with ${baseline}`;
}

function unfinished([first]: readonly Recording[], file: string | undefined): readonly Fact[] {
  if (first === undefined || first.ended || file === undefined) return [];
  const value = `results can be missing; continue with: ${resumeCommand(first.session.request.command, file)}`;
  return [{ name: 'Not finished', value }];
}
