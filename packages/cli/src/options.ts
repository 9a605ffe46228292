import type { DetailColumn } from '@bench-cli/report';
import type { AdaptiveOptions } from '@bench-cli/runner';
import type { ComparisonList } from '@bench-cli/stats';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { calledAs } from './invocation.ts';

/** How the result of `bisect` is printed. */
export const searchFormats = ['table', 'json', 'markdown'] as const;
export type SearchFormat = (typeof searchFormats)[number];

/** How comparisons are printed: `table` is that of compare.R, `rates` is for a terminal. */
export const comparisonFormats = ['rates', ...searchFormats] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

/** How `compare` prints results; CSV is that of Node core's compare.js. */
export const compareFormats = ['csv', ...comparisonFormats] as const;
export type CompareFormat = (typeof compareFormats)[number];

/** How p-values are corrected for the number of comparisons. */
export type Correction = ComparisonList['correction'];

/** Which comparisons fail the command. */
export interface GateOptions {
  readonly failOn?: readonly string[];
  readonly allowMissing?: boolean;
}

/** What a table of comparisons shows in addition, as commander reads it. */
export interface ComparisonOptions extends GateOptions {
  readonly columns?: readonly DetailColumn[];
  readonly correct?: string | true;
}

/** How `run` prints results; `simple` and `csv` are those of Node core's run.js. */
export const runFormats = ['simple', 'table', 'csv', 'json'] as const;
export type RunFormat = (typeof runFormats)[number];

/** How `clients` prints results. */
export const clientFormats = ['table', 'markdown', 'csv', 'json'] as const;
export type ClientFormat = (typeof clientFormats)[number];

/** Which benchmarks run, and with which values. */
export interface SelectionOptions {
  readonly suite?: string;
  readonly filter?: string[];
  readonly exclude?: string[];
  readonly set?: string[];
  readonly allowNewValues?: boolean;
  readonly tag?: string[];
  readonly samples?: number;
}

/** How runs are executed, recorded and shown. */
export interface ExecutionOptions extends SelectionOptions {
  /** Milliseconds; 0 for no limit. */
  readonly timeout: number;
  readonly out?: string;
  readonly resume?: string;
  readonly trust?: boolean;
  readonly shard?: string;
  readonly costs?: string;
  readonly jobs?: number | 'auto';
  readonly bail?: boolean;
  readonly progress: boolean;
}

/** How the code of subjects is prepared. */
export interface PreparationOptions {
  readonly prepare?: string;
  /** Milliseconds. */
  readonly prepareTimeout?: number;
  readonly installScripts?: boolean;
}

/** How many runs there are. */
export interface RunsOptions {
  readonly runs?: number | 'auto';
  /** A fraction. */
  readonly margin?: number;
  readonly maxRuns?: number;
  /** A fraction. */
  readonly errorRate?: number;
  /** Milliseconds. */
  readonly budget?: number;
  readonly calibrate?: boolean;
}

/** The time limit per run. */
export const defaultTimeoutMs = 300_000;

export function addSelection(command: Command): Command {
  return command
    .addOption(suiteOption())
    .addOption(filterOption())
    .addOption(
      repeatable(
        '--exclude <pattern>',
        'skip files, or benchmarks of node:bench, whose name contains the pattern (can be repeated)',
      ),
    )
    .addOption(setOption())
    .addOption(newValuesOption())
    .addOption(tagOption())
    .addOption(samplesOption());
}

export function suiteOption(): Option {
  return new Option(
    '--suite <dir>',
    'directory of the suite; its subdirectories are the groups (default: ./benchmarks, ./benchmark or .)',
  );
}

export function filterOption(): Option {
  return repeatable(
    '--filter <pattern>',
    'only files, or benchmarks of node:bench, whose name contains the pattern (can be repeated)',
  );
}

export function tagOption(): Option {
  return repeatable('--tag <tag>', 'only benchmarks of node:bench with the tag (can be repeated)');
}

export function samplesOption(): Option {
  return new Option(
    '--samples <n>',
    'samples per run of benchmarks of node:bench; the rate is their mean (default: 1)',
  ).argParser(readCount);
}

export function setOption(): Option {
  return repeatable(
    '--set <name=value>',
    'set a parameter; CPUSET=0-2 sets the CPUs, in the format of taskset (can be repeated)',
  );
}

export function newValuesOption(): Option {
  return new Option(
    '--allow-new-values',
    'with --set: accept texts that a benchmark does not list for the parameter (numbers are always accepted)',
  );
}

export function whereOption(): Option {
  return repeatable(
    '--where <condition>',
    'only configurations that meet it, such as encoding=ascii, len!=0, len>=1024 or benchmark=url/parse.ts (can be repeated)',
  );
}

/** The runtime of a command with one subject. */
export function runtimeOption(): Option {
  return new Option(
    '--runtime <path|node@version>',
    'the runtime to use (default: the one that runs bench-cli)',
  );
}

/** Flags of every subject of a command. */
export function nodeArgOption(): Option {
  return repeatable('--node-arg <flag>', 'flag of the runtime, such as --expose-gc (can be repeated)');
}

/** Where the name of a single benchmark starts. */
export function fileSuiteOption(): Option {
  return new Option(
    '--suite <dir>',
    'directory that the name of the benchmark is relative to (default: ./benchmarks, ./benchmark or .)',
  );
}

export function addPreparation(command: Command): Command {
  return command
    .option(
      '--prepare <command>',
      'shell command that prepares the files of git:REF, once per commit, such as "npm ci && npm run build"',
    )
    .option(
      '--prepare-timeout <time>',
      'time limit of --prepare: seconds, or 90s, 20m, 2h (default: 30m)',
      readDuration,
    )
    .option('--install-scripts', 'let the packages of npm:NAME@VERSION run their install scripts');
}

export function addExecution(command: Command): Command {
  return command
    .addOption(
      new Option('--timeout <time>', 'time limit per run: seconds, or 90s, 20m, 2h; 0 for no limit')
        .argParser(readTimeLimit)
        .default(defaultTimeoutMs, durationWord(defaultTimeoutMs)),
    )
    .option('--out <file>', 'record each run in this file as it ends (JSON Lines)')
    .option('--resume <file>', 'continue the interrupted session that this file holds')
    .option(
      '--trust',
      'with --resume: run the programs that the file names, although you did not begin its session here',
    )
    .option('--bail', 'stop at the first failure')
    .option('--no-progress', 'hide the progress line');
}

/** Repeated here so that the help does not load the statistics; the types keep them equal. */
const columnNames = [
  'runs',
  'ratio',
  'chart',
  'effect',
  'rank',
  'adjusted',
] as const satisfies readonly DetailColumn[];
const corrections = ['benjamini-hochberg', 'holm'] as const satisfies readonly Correction[];

/** What comparisons show, and which of them fail the command. */
export function addComparison(command: Command): Command {
  return command
    .option(
      '--columns <list>',
      'more columns, separated by commas: runs (their number), ratio (new/old with its interval), chart (that interval ' +
        "as a picture), effect (Hedges' g), rank (p of a rank test), adjusted (p corrected for the number of comparisons), or all",
      columnReader(columnNames),
    )
    .option(
      '--correct [method]',
      'show p-values corrected for the number of comparisons, and the number of findings that remain; holm: a ' +
        'stricter correction, also for --fail-on (default: benjamini-hochberg)',
    )
    .addOption(
      repeatable(
        '--fail-on <threshold>',
        'exit with 1 if a change is beyond it for certain, corrected for the number of comparisons: slower>=5%, slower, ' +
          'faster>10%, or the name of a metric, alloc>5% (can be repeated)',
      ),
    )
    .option('--allow-missing', 'with --fail-on: accept configurations without enough results to judge');
}

/** The value of `--correct`. Commander also takes the word after it if that is no method: it is the first operand. */
export function readCorrection(
  value: string | true | undefined,
  operands: readonly string[],
): { readonly correct: Correction | undefined; readonly operands: string[] } {
  if (value === undefined) return { correct: undefined, operands: [...operands] };
  const method = corrections.find((it) => it === value);
  const isOperand = value !== true && method === undefined;
  return { correct: method ?? corrections[0], operands: [...(isOperand ? [value] : []), ...operands] };
}

/** Reads names of columns, or `all`. */
export function columnReader<Column extends string>(
  known: readonly Column[],
): (text: string) => readonly Column[] {
  return (text) => {
    if (text === 'all') return known;
    return readNames(text).map((name) => {
      const column = known.find((it) => it === name);
      if (column === undefined) {
        throw new InvalidArgumentError(`Unknown column "${name}": use ${known.join(', ')} or all.`);
      }
      return column;
    });
  };
}

/** Names separated by commas. */
export function readNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Expected names separated by commas.');
  return names;
}

/** What is measured beside the rate. */
export interface MetricOptions {
  readonly metric?: readonly string[];
  readonly metricRuns?: number;
}

export function addMetrics(command: Command): Command {
  return command
    .option(
      '--metric <list>',
      'also measure these, separated by commas, in runs of their own: alloc (bytes allocated per operation), gc (pauses for ' +
        'garbage collection), collections (their number), cpu (CPU time), eventLoop (its delay), rss (peak memory); by perf on Linux: instructions, cycles, branch-misses, cache-misses',
      readNames,
    )
    .addOption(
      new Option('--metric-runs <n>', 'with --metric: number of these runs (default: 8)').argParser(
        readCount,
      ),
    );
}

/** Which part of the configurations runs here. */
export function addSharding(command: Command): Command {
  return command
    .option(
      '--shard <k/n>',
      'run part k of n, to share the work between machines; "auto" or "auto/n" reads k from the environment variables of the CI system',
    )
    .option('--costs <file>', 'with --shard: balance the parts by the durations in this results file');
}

/** How many configurations are measured at the same time. */
export function addJobs(command: Command): Command {
  return command.option(
    '--jobs <n|auto>',
    'measure n configurations at the same time, each on cores of its own (Linux); auto: as many as get two CPUs each, with one ' +
      'core left free if there are more than two (default: 1)',
    (text: string) => (text === 'auto' ? text : readCount(text)),
  );
}

/** An option that can be given several times. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, previous: string[] | undefined) => [
    ...(previous ?? []),
    value,
  ]);
}

/** Refuses all but display options with --resume: the file has the others. */
export function checkResume(command: Command, words: readonly string[]): void {
  const display = new Set([
    ...['resume', 'format', 'progress', 'bail', 'track', 'trust', 'percentiles', 'plot'],
    ...['columns', 'correct', 'failOn', 'allowMissing', 'explain'],
  ]);
  const extra = words[0] ?? givenBeyond(command, display);
  if (extra === undefined) return;
  command.error(`--resume takes all options from its file: remove ${extra}, or start a new session`);
}

/** The first option that the user gave and that is none of these. @param allowed attribute names of options */
export function givenBeyond(command: Command, allowed: ReadonlySet<string>): string | undefined {
  const isGiven = (name: string) => !allowed.has(name) && command.getOptionValueSource(name) === 'cli';
  return command.options.find((option) => isGiven(option.attributeName()))?.long;
}

/** @param what what the number of runs counts */
export function addRuns(command: Command, what: string, fallback: number): Command {
  command.option(
    '--runs <n|auto>',
    `${what}; auto: until the result is clear (default: ${fallback})`,
    (text: string) => (text === 'auto' ? text : readCount(text)),
  );
  return addAdaptiveRuns(command, 'with --runs auto: ');
}

/** @param condition when the options apply */
export function addAdaptiveRuns(command: Command, condition = ''): Command {
  return command
    .option(
      '--margin <percent>',
      `${condition}the smallest difference that matters (default: 2%)`,
      readPercent,
    )
    .option('--max-runs <n>', `${condition}the maximum number of runs (default: 36)`, readCount)
    .option(
      '--error-rate <percent>',
      `${condition}the accepted share of false verdicts (default: 5%)`,
      readPercent,
    )
    .option(
      '--calibrate',
      'first find, for each configuration with a number n, the n that gives steady runs in the least time',
    )
    .option(
      '--budget <time>',
      `${condition}start no run after this time: seconds, or 90s, 20m, 2h`,
      readDuration,
    );
}

/** The number of runs as the runner takes it. */
export function runsOf(command: Command, options: RunsOptions, fallback: number): number | AdaptiveOptions {
  const { runs = fallback, margin, maxRuns, errorRate, budget } = options;
  if (runs === 'auto') return { margin, maxRuns, errorRate, budgetMs: budget };
  const idle = (['margin', 'maxRuns', 'errorRate', 'budget'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (idle === undefined) return runs;
  const flag = command.options.find((option) => option.attributeName() === idle)?.long;
  command.error(`${flag} requires --runs auto: add it, or remove ${flag}`);
}

/** A percentage, with or without its sign, as a fraction. */
export function readPercent(text: string): number {
  const [, amount] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim()) ?? [];
  const percent = Number(amount);
  if (!(percent >= 1e-6 && percent < 100))
    throw new InvalidArgumentError('Expected a percentage above 0 and below 100, such as 2%.');
  return percent / 100;
}

/** A fraction as `readPercent` takes it: `2%`. */
export function percentWord(fraction: number): string {
  return `${Number((fraction * 100).toPrecision(6))}%`;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Timers of Node.js fire immediately if their delay is longer, about 24 days. */
const mostMs = 2 ** 31 - 1;

/** A duration of at least a millisecond, in seconds if it has no unit, as milliseconds. */
export function readDuration(text: string): number {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)\s*([smh])?$/.exec(text.trim()) ?? [];
  const durationMs = Number(amount) * (unitsMs[unit] ?? Number.NaN);
  if (!(durationMs >= 1 && durationMs <= mostMs))
    throw new InvalidArgumentError('Expected a duration of 1 ms to 24 days, such as 90s, 20m or 2h.');
  return durationMs;
}

/** Milliseconds as `readDuration` takes them: `90s`. */
export function durationWord(milliseconds: number): string {
  return `${milliseconds / 1000}s`;
}

/** A duration, or 0 for no limit. */
function readTimeLimit(text: string): number {
  return /^0+\s*[smh]?$/.test(text.trim()) ? 0 : readDuration(text);
}

const mostRuns = 1_000_000;

/** A number of runs. */
export function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > mostRuns)
    throw new InvalidArgumentError(`Expected a whole number, 1 to ${mostRuns}.`);
  return count;
}

/** A number per second. */
export function readRate(text: string): number {
  const rate = Number(text);
  if (text.trim() === '' || !(rate > 0 && rate <= 1e7))
    throw new InvalidArgumentError('Expected a number above 0, such as 2000.');
  return rate;
}

/** The word `test` among the items selects test mode. */
export function readItems(words: readonly string[]): {
  readonly items: readonly string[];
  readonly test: boolean;
} {
  return { items: words.filter((word) => word !== 'test'), test: words.includes('test') };
}

/** Ends the command if Node.js is older than `major.minor`. */
export function requireNode(
  command: Command,
  required: `${number}.${number}`,
  version: string = process.versions.node,
): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return;
  command.error(
    `${command.name()} requires Node.js ${required} or later, and this is ${version}: run bench-cli with a newer Node.js`,
  );
}

/** The examples at the end of a command's help, each with what it does. */
export function examples(lines: readonly (readonly [command: string, what: string])[]): () => string {
  return () =>
    [
      '',
      'Examples:',
      ...lines.map(([command, what]) => `  # ${what}\n${wrapped(`${calledAs()} ${command}`)}`),
    ].join('\n');
}

/** The columns of a narrow terminal. */
const WIDTH = 80;

/** A command that continues on the next line if it is too long; an option stays with its value, and `>` with its file. */
function wrapped(command: string): string {
  const words = command.match(/(?:(?:--[\w-]+|>) (?!-))?(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const lines = ['  $'];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH - ' \\'.length) lines[lines.length - 1] = line;
    else lines.push(`      ${word}`);
  }
  return lines.join(' \\\n');
}
