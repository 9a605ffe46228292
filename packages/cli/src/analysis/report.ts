import type { Fact } from '@bench-cli/report';
import { renderReport } from '@bench-cli/report/page';
import { counted, resumeCommand } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import type { JudgedResults } from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import { readExplanations } from './explanation-file.ts';
import { writeOutput } from './output-file.ts';
import { caseCommand, commandOfCsv, repeatedCommand } from './repeated-command.ts';

export function writeReport(file: string, judged: JudgedResults, output: string, terminal: Terminal): void {
  const { names, recordings, list } = judged;
  const [baseline, ...others] = names.values();
  // The page lists them below its title.
  const compared = others.length > 3 ? counted(others.length, 'subject') : others.join(', ');
  const request = recordings[0]?.session.request;
  const html = renderReport({
    ...judged,
    title: `${compared} compared with ${baseline}`,
    explanations: readExplanations(file),
    facts: unfinished(recordings),
    command: request === undefined ? commandOfCsv : repeatedCommand(request),
    commandFor: (comparison) => request && caseCommand(request, comparison),
  });
  writeOutput(output, html);
  const size =
    html.length < 1e6 ? `${Math.ceil(html.length / 1e3)} kB` : `${(html.length / 1e6).toFixed(1)} MB`;
  terminal.notice(`${output}: ${counted(list.comparisons.length, 'comparison')}, ${size}`);
}

function unfinished(recordings: readonly Recording[]): readonly Fact[] {
  return recordings.flatMap(({ ended, file = '', session }) => {
    if (ended) return [];
    const value = `results can be missing; continue with: ${resumeCommand(session.request, file)}`;
    return [{ name: 'Not finished', value }];
  });
}
