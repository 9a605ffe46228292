import {
  type Configuration,
  configurationText,
  ownValue,
  type ParameterValue,
  parseConfiguration,
  shownArguments,
} from './configuration.ts';
import { shownIn } from './foreign-text.ts';
import type { BenchmarkFile, PlanRecord } from './recording/line.ts';
import { shortened } from './short-text.ts';
import { displayWidth } from './terminal-columns.ts';

/** One configuration of one benchmark: the unit that is measured, judged and shown as a row. */
export interface Case {
  /** Name of the benchmark, which is its path in the suite. */
  readonly benchmark: string;
  readonly configuration: Configuration;
}

/** The parameter that counts operations, as in Node core's suite. */
export const countParameter = 'n';

/** A case in a list, with the text of its configuration: `n=1000 type='fast'`. */
export interface NamedCase extends Case {
  readonly key: string;
  readonly text: string;
}

/** The number of compared cases in a plan, in all shards. Verdicts are corrected for this number. */
export function caseCount({ benchmarks }: Pick<PlanRecord, 'benchmarks'>): number {
  return benchmarks
    .filter(({ onlyUnder }) => onlyUnder === undefined)
    .reduce((sum, { configurations }) => sum + configurations.length, 0);
}

export interface BenchmarkId {
  /** The path of the file in the suite, or the text of a whole command. */
  readonly file: string;
  /** The suites around a declared benchmark, and its own name; empty if the file is one benchmark. */
  readonly path: readonly string[];
}

/**
 * The name of a benchmark in records, output and patterns: `g/a.mjs > copy`. A part that contains the
 * separator is quoted, so that names are unique: `g/a.mjs > "a > b" > c`. A port in Node core's suite has the
 * name of the original file, so that the CSV of both agree.
 */
export function benchmarkName({ file, path }: BenchmarkId): string {
  const [first] = path;
  if (first === undefined) return file;
  return path.length === 1 && first === portedFile(file) ? first : [file, ...path].map(quoted).join(' > ');
}

function quoted(part: string): string {
  return /^"| >(?: |$)/.test(part) ? `"${part.replaceAll('"', '""')}"` : part;
}

/** Parts of a name, quoted or not. */
const parts = /(?:^| > )("(?:[^"]|"")*"(?= > |$)|.*?(?= > |$))/gs;

/** The inverse of `benchmarkName` for benchmarks that their files declare. */
export function readBenchmarkName(name: string): BenchmarkId {
  const [file = '', ...path] = Array.from(name.matchAll(parts), ([, part = '']) =>
    /^".*"$/s.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part,
  );
  return { file, path };
}

/** A name without its group, for patterns: `a.mjs > copy`. */
export function nameInGroup(benchmark: string): string {
  const { file, path } = readBenchmarkName(benchmark);
  return benchmarkName({ file: file.slice(file.indexOf('/') + 1), path });
}

/** `g/a.js` for a port `g/_a.node-bench.js`. Other files keep their names. */
function portedFile(file: string): string {
  return file.replace(/\/_([^/]+)\.node-bench(\.[cm]?[jt]s)$/, '/$1$2');
}

/** Whether a name is that of a file, or of a benchmark that the file declares. */
export function isOfFile(benchmark: string, { name }: Pick<BenchmarkFile, 'name'>): boolean {
  return benchmark === name || benchmark === portedFile(name) || readBenchmarkName(benchmark).file === name;
}

/** A benchmark as one of several alternatives, with its own name; undefined for one that is a whole file. */
export function alternativeOf(
  benchmark: string,
  files: readonly BenchmarkFile[],
): { readonly group: string; readonly task: string } | undefined {
  const file = files.find((each) => isOfFile(benchmark, each));
  if (file?.command !== undefined) return { group: 'commands', task: benchmark };
  if (file === undefined || benchmark === file.name) return undefined;
  const { path } = readBenchmarkName(benchmark);
  const task = path.at(-1);
  return task === undefined
    ? undefined
    : { group: benchmarkName({ file: file.name, path: path.slice(0, -1) }), task };
}

/** The parameter whose values are the tasks of a group. No other parameter has an empty name. */
export const TASK = '';

/** A case with its task as a parameter of its group. */
export function asTask<Of extends Case>(it: Of, files: readonly BenchmarkFile[]): Of {
  const { group: benchmark, task } = alternativeOf(it.benchmark, files) ?? { group: it.benchmark, task: '' };
  return { ...it, benchmark, configuration: { [TASK]: task, ...it.configuration } };
}

/** The samples of each group, with tasks as a parameter, and of each other benchmark. */
export function samplesByGroup<Of extends Case>(
  samples: readonly Of[],
  files: readonly BenchmarkFile[],
): ReadonlyMap<string, readonly Of[]> {
  const groupOf = ({ benchmark }: Of) => alternativeOf(benchmark, files)?.group ?? benchmark;
  return new Map(
    Array.from(Map.groupBy(samples, groupOf), ([benchmark, group]) => {
      if (new Set(group.map((each) => each.benchmark)).size < 2)
        return [group[0]?.benchmark ?? benchmark, group];
      return [benchmark, group.map((sample) => asTask(sample, files))];
    }),
  );
}

/** Identifies a case, regardless of the order of its parameters. Every map of cases uses this key. */
export function caseKey({ benchmark, configuration }: Case): string {
  return JSON.stringify([benchmark, Object.entries(configuration).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

export function nameCase({ benchmark, configuration }: Case): NamedCase {
  const text = configurationText(configuration);
  return { key: caseKey({ benchmark, configuration }), benchmark, configuration, text };
}

/** The case of a row of CSV, with the text of the file. Unusual texts stay distinct cases. */
export function caseOfText(benchmark: string, text: string): NamedCase {
  const configuration = parseConfiguration(text);
  const isUsual = configurationText(configuration) === text;
  const key = isUsual ? caseKey({ benchmark, configuration }) : JSON.stringify([benchmark, text]);
  return { key, benchmark, configuration, text };
}

export function groupName(benchmark: string, shared: Configuration): string {
  return [shownIn('name', benchmark), shownArguments(shared)].join(' ').trimEnd();
}

/** The name of a case in a text: the benchmark, and its configuration unless empty. */
export function caseName(each: Case | Pick<NamedCase, 'benchmark' | 'text'>): string {
  const text = 'text' in each ? each.text : configurationText(each.configuration);
  const name = shownIn('name', each.benchmark);
  return shortName(text === '' ? name : `${name} ${shownIn('line', text)}`);
}

/** The columns of the longest name in a sentence. */
const LONGEST_NAME = 120;

/** A safe name. A long one has a digest in its middle, so that different names stay different. */
export function shortName(name: string, width = LONGEST_NAME): string {
  const most = Math.min(width, LONGEST_NAME);
  if (displayWidth(name) <= most) return name;
  // Loading the module takes milliseconds.
  const digest = process.getBuiltinModule('node:crypto').hash('sha256', name).slice(0, 6);
  return shortened(name, most, displayWidth, `…${digest}…`);
}

/** The value of a parameter. `benchmark` is the name of the benchmark, unless a parameter has that name. */
export function parameterOf({ benchmark, configuration }: Case, name: string): ParameterValue | undefined {
  return ownValue(configuration, name) ?? (name === 'benchmark' ? benchmark : undefined);
}
