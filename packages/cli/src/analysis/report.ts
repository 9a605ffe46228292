import { type Fact, renderReport } from '@bench-cli/report/page';
import { counted, parseCondition, type SubjectNames, subjectDetails } from '@bench-cli/results';
import type { Environment, Recording, SessionRequest } from '@bench-cli/results/recording';
import { compareMetrics } from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import { caseCommand, sessionCommand } from './compare-command.ts';
import { judgeResults, resultsWhere } from './compared-results.ts';
import { readExplanations } from './explanation-file.ts';
import { failedBenchmarks, failedRuns } from './failures.ts';
import { writeOutput } from './output-file.ts';
import { machinesText, partsText, resumeCommand } from './recording-text.ts';
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
  const results = resultsWhere(await readComparedResults(file, terminal), conditions);
  const { pairs, names, newCases, recordings } = results;
  const list = judgeResults(results);
  const request = recordings[0]?.session.request;
  const html = renderReport({
    names,
    title: title ?? titleOf(names),
    pairs,
    list,
    newCases,
    metrics: compareMetrics(results.metrics, list.correction),
    explanations,
    facts: [...unfinished(recordings, file), ...factsOf(recordings)],
    command: sessionCommand(request),
    commandFor: (comparison) => caseCommand(request, comparison),
    failedRuns: failedRuns(recordings),
    failedBenchmarks: failedBenchmarks(recordings),
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

function unfinished([first]: readonly Recording[], file: string | undefined): Fact[] {
  if (first === undefined || first.ended || file === undefined) return [];
  const value = `results can be missing; continue with: ${resumeCommand(first.session.request.command, file)}`;
  return [{ name: 'Not finished', value }];
}

function factsOf(recordings: readonly Recording[]): Fact[] {
  const [first] = recordings;
  if (first === undefined) return [];
  const { request } = first.session;
  const environments = recordings.map(({ session }) => session.environment);
  const ofMachines = (value: (environment: Environment) => string) => machinesText(environments.map(value));
  const loads = environments.map(({ load }) => load).sort((a, b) => a - b);
  const resumed = recordings.flatMap((recording) => recording.resumed);
  const runs = recordings.reduce((sum, recording) => sum + recording.runs.length, 0);
  return [
    ...(recordings.length > 1 ? [{ name: 'Parts', value: partsText(recordings) }] : []),
    { name: 'CPU', value: ofMachines(({ cpu, cpus }) => `${cpu}, ${cpus} to use`) },
    { name: 'Memory', value: ofMachines(({ memoryBytes }) => `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`) },
    { name: 'System', value: ofMachines(({ os }) => os) },
    { name: 'Frequency governor', value: ofMachines(({ governor }) => governor ?? 'unknown') },
    { name: 'Load at the start', value: rangeText(loads.map((load) => load.toFixed(2))) },
    ...request.subjects.map((subject) => ({
      name: `Subject ${subject.name}`,
      value: subjectDetails(subject),
    })),
    { name: 'Started', value: rangeText(recordings.map(({ session }) => session.startedAt).sort()) },
    ...resumed.map((record) => ({ name: 'Resumed', value: record.startedAt })),
    { name: 'Runs', value: `${runs}, ${plannedRuns(request)} for each configuration and subject` },
    { name: 'bench-cli ran under', value: ofMachines(({ node }) => `Node.js ${node}`) },
  ];
}

function plannedRuns({ runs }: SessionRequest): string {
  return typeof runs === 'number' ? `${runs} planned` : `as many as needed, at most ${runs.maxRuns},`;
}

/** The first and the last of ascending values. */
function rangeText(ascending: readonly string[]): string {
  const [first = '', last = first] = [ascending[0], ascending.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}
