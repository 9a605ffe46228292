import type { Fact } from '@bench-cli/report';
import { renderReport } from '@bench-cli/report/page';
import { counted, parseCondition, resultsWhere, type SubjectNames } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import { judgeResults } from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import { caseCommand, sessionCommand } from './compare-command.ts';
import { readExplanations } from './explanation-file.ts';
import { writeOutput } from './output-file.ts';
import { resumeCommand } from './recording-text.ts';
import { readComparedResults } from './results-file.ts';

/** Options of `report`, as the user typed them. */
export interface ReportOptions {
  readonly output?: string;
  readonly title?: string;
  readonly where?: readonly string[];
  readonly profiles?: string;
}

/** Writes the page about a file of results. */
export async function writeReport(
  file: string | undefined,
  { output = 'report.html', title, where = [], profiles }: ReportOptions,
  terminal: Terminal,
): Promise<void> {
  const conditions = where.map(parseCondition);
  const explanations = readExplanations(file, profiles);
  const judged = judgeResults(resultsWhere(await readComparedResults(file, terminal), conditions));
  const { names, recordings, list } = judged;
  const request = recordings[0]?.session.request;
  const html = renderReport({
    ...judged,
    title: title ?? titleOf(names),
    explanations,
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
