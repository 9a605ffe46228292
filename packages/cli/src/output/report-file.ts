import { type Fact, renderReport } from '@bench-cli/report/page';
import { argumentsOf, parseCondition } from '@bench-cli/results';
import type { Environment, Recording, SessionRequest } from '@bench-cli/results/recording';
import { judgeResults, resultsWhere } from '../input/compared-results.ts';
import { readComparedResults } from '../input/result-file.ts';
import type { Terminal } from '../terminal.ts';
import { machinesText } from './machines.ts';
import { writeOutput } from './output-file.ts';

/** Options of `report`, as they are written. */
export interface ReportOptions {
  readonly output?: string;
  readonly title?: string;
  readonly where?: readonly string[];
}

/** Writes the page about a file of results. */
export async function writeReport(
  file: string | undefined,
  { output = 'report.html', title, where = [] }: ReportOptions,
  terminal: Terminal,
): Promise<void> {
  const conditions = where.map(parseCondition);
  const results = resultsWhere(await readComparedResults(file, terminal), conditions);
  const { pairs, names, recordings } = results;
  const list = judgeResults(results);
  const request = recordings[0]?.session.request;
  const html = renderReport({
    ...names,
    title: title ?? `${names.newName} compared with ${names.oldName}`,
    pairs,
    list,
    facts: factsOf(recordings),
    command: commandOf(
      request,
      request?.files.map(({ name }) => name) ?? ['<file>...'],
      request?.settings.set ?? [],
    ),
    commandFor: ({ benchmark, configuration }) => commandOf(request, [benchmark], argumentsOf(configuration)),
    failures: failuresOf(recordings),
  });
  writeOutput(output, html);
  terminal.notice(`${output}: ${list.comparisons.length} comparisons, ${(html.length / 1e6).toFixed(1)} MB`);
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
    ...(recordings.length > 1 ? [{ name: 'Machines', value: String(recordings.length) }] : []),
    { name: 'CPU', value: ofMachines(({ cpu, cpus }) => `${cpu}, ${cpus} to use`) },
    { name: 'Memory', value: ofMachines(({ memoryBytes }) => `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`) },
    { name: 'System', value: ofMachines(({ os }) => os) },
    { name: 'Frequency governor', value: ofMachines(({ governor }) => governor ?? 'not to be seen') },
    { name: 'Load at the start', value: rangeText(loads.map((load) => load.toFixed(2))) },
    ...request.subjects.map(({ name, executable, flags, runtime }) => ({
      name: `Subject ${name}`,
      value: `${[executable, ...flags].join(' ')} (Node.js ${runtime.version}, V8 ${runtime.v8}, ${runtime.platform} ${runtime.arch})`,
    })),
    { name: 'Started', value: rangeText(recordings.map(({ session }) => session.startedAt).sort()) },
    ...resumed.map((record) => ({ name: 'Resumed', value: record.startedAt })),
    { name: 'Runs', value: `${runs}, ${plannedRuns(request)} for each configuration and subject` },
    { name: 'bench-cli ran under', value: ofMachines(({ node }) => `Node.js ${node}`) },
  ];
}

function plannedRuns({ runs }: SessionRequest): string {
  return typeof runs === 'number' ? `${runs} planned` : `as many as it took, at most ${runs.maxRuns},`;
}

function runsWords({ runs }: SessionRequest): string[] {
  if (typeof runs === 'number') return ['--runs', String(runs)];
  const percent = (fraction: number) => `${Number((fraction * 100).toPrecision(6))}%`;
  return [
    ...['--runs', 'auto', '--margin', percent(runs.margin)],
    ...['--max-runs', String(runs.maxRuns), '--error-rate', percent(runs.errorRate)],
  ];
}

/** The first and the last of ascending values. */
function rangeText(ascending: readonly string[]): string {
  const [first = '', last = first] = [ascending[0], ascending.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

function failuresOf(recordings: readonly Recording[]): Fact[] {
  const failures = recordings.flatMap((recording) =>
    recording.failures.map(({ benchmark, phase, subject, failure }) => ({
      name: `${benchmark} (${subject}, ${phase})`,
      value: failure.message,
    })),
  );
  const runs = recordings.flatMap((recording) => recording.runs);
  return [
    // What could not be planned, all shards tell.
    ...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values(),
    ...runs.flatMap((run) => {
      if (run.status === 'ok') return [];
      const name = [run.benchmark, ...argumentsOf(run.configuration), `(${run.subject})`].join(' ');
      return [{ name, value: run.failure.message }];
    }),
  ];
}

/** The shell command that measures benchmarks again; a CSV does not know its subjects, which are left to fill in. */
function commandOf(
  request: SessionRequest | undefined,
  benchmarks: readonly string[],
  set: readonly string[],
): string {
  const subjects = ['old', 'new'].flatMap((role) => {
    const subject = request?.subjects.find(({ name }) => name === role);
    if (subject === undefined) return [`--${role}`, `<${role} node>`];
    return [
      `--${role}`,
      subject.label,
      ...(subject.flags.length > 0 ? [`--${role}-flags`, subject.flags.join(' ')] : []),
      ...Object.entries(subject.env).flatMap(([name, value]) => [`--${role}-env`, `${name}=${value}`]),
      ...(subject.cwd === undefined ? [] : [`--${role}-cwd`, subject.cwd]),
    ];
  });
  const { cpuSet } = request?.settings ?? {};
  const words = [
    'bench-cli',
    'compare',
    ...subjects,
    ...(request === undefined ? [] : runsWords(request)),
    ...(cpuSet === undefined ? [] : ['--set', `CPUSET=${cpuSet}`]),
    ...set.flatMap((pair) => ['--set', pair]),
    ...benchmarks,
  ];
  return words.map(shellWord).join(' ');
}

/** A word as a POSIX shell takes it; placeholders stay as they are. */
function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word) || /^<.*>(\.\.\.)?$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
