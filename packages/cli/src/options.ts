import type { AdaptiveOptions } from '@bench-cli/runner';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Options that several commands share. */
export interface SelectionOptions {
  readonly suite?: string;
  readonly filter?: string[];
  readonly exclude?: string[];
  readonly set?: string[];
}

export interface ExecutionOptions extends SelectionOptions {
  readonly timeout?: number;
  readonly out?: string;
  readonly resume?: string;
  readonly shard?: string;
  readonly costs?: string;
  readonly bail?: boolean;
  readonly progress: boolean;
}

/** Which benchmarks, and with which values. */
export function addSelection(command: Command): Command {
  return command
    .option(
      '--suite <dir>',
      'directory whose sub-directories are the groups (default: ./benchmarks, ./benchmark, or .)',
    )
    .addOption(
      repeatable('--filter <pattern>', 'only files whose name contains the pattern (can be repeated)'),
    )
    .addOption(
      repeatable('--exclude <pattern>', 'no files whose name contains the pattern (can be repeated)'),
    )
    .addOption(setOption());
}

export function setOption(): Option {
  return repeatable(
    '--set <name=value>',
    'set a parameter, or with CPUSET=0-2 the CPUs to use, as taskset takes them (can be repeated)',
  );
}

/** How the runs are executed and recorded. */
export function addExecution(command: Command): Command {
  return command
    .option('--timeout <seconds>', 'kill a run after so long, 0 for never (default: 300)', readSeconds)
    .option('--out <file>', 'record every run in this file as it ends (JSON Lines)')
    .option('--resume <file>', 'go on with the interrupted session that the file holds')
    .option('--bail', 'stop at the first failure')
    .option('--no-progress', 'show no progress line');
}

/** Which part of the configurations runs here. */
export function addSharding(command: Command): Command {
  return command
    .option(
      '--shard <k/n>',
      'run the k-th of n parts, for as many machines; "auto", or "auto/n", takes k from the variables of the CI system',
    )
    .option(
      '--costs <file>',
      'with --shard: balance the parts by how long the runs of this results file took',
    );
}

/** An option that may be given several times. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, former: string[] | undefined) => [
    ...(former ?? []),
    value,
  ]);
}

/** A resumed session takes all from its file, but for how it is shown. */
export function checkResume(command: Command, words: readonly string[]): void {
  const display = new Set(['resume', 'format', 'progress', 'bail', 'track']);
  const given = command.options.find(
    (option) =>
      !display.has(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  const extra = words[0] ?? given?.long;
  if (extra === undefined) return;
  command.error(`error: --resume takes everything from its file; leave out ${extra}, or begin a new session`);
}

/** How many runs there are. */
export interface RunsOptions {
  readonly runs?: number | 'auto';
  readonly margin?: number;
  readonly maxRuns?: number;
  readonly errorRate?: number;
  readonly budget?: number;
  readonly calibrate?: boolean;
}

/** How many runs there are, or until when there are more. */
export function addRuns(command: Command, what: string, fallback: number): Command {
  return command
    .option('--runs <n|auto>', `${what}, or auto: until they tell enough (default: ${fallback})`, readRuns)
    .option(
      '--margin <percent>',
      'with --runs auto: the difference up to which nobody cares (default: 2%)',
      readPercent,
    )
    .option('--max-runs <n>', 'with --runs auto: end there at the latest (default: 36)', readCount)
    .option(
      '--error-rate <percent>',
      'with --runs auto: the share of false verdicts to accept (default: 5%)',
      readPercent,
    )
    .option(
      '--calibrate',
      'first find, for each configuration with a number n, the count that gives steady runs in the least time',
    )
    .option(
      '--budget <time>',
      'with --runs auto: begin no run after so much time, such as 90s, 20m or 2h',
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
  const flag = idle.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  command.error(`error: --${flag} goes with --runs auto, which ends when the runs tell enough`);
}

function readRuns(text: string): number | 'auto' {
  return text === 'auto' ? text : readCount(text);
}

/** A percentage, with or without its sign, as a fraction. */
export function readPercent(text: string): number {
  const [, amount] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim()) ?? [];
  const percent = Number(amount);
  if (!(percent > 0)) throw new InvalidArgumentError('It takes a percentage above 0, such as 2%.');
  return percent / 100;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** A time such as 90s, 20m or 2h, in milliseconds. */
function readDuration(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([smh])$/.exec(text.trim()) ?? [];
  const durationMs = Number(amount) * (unitsMs[unit] ?? Number.NaN);
  if (!(durationMs > 0))
    throw new InvalidArgumentError('It takes a time with its unit, such as 90s, 20m or 2h.');
  return durationMs;
}

export function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1)
    throw new InvalidArgumentError('It takes a whole number, 1 or above.');
  return count;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0)) throw new InvalidArgumentError('It takes seconds, 0 or above.');
  return seconds;
}

/** The word `test` among the items asks for test mode. */
export function readItems(words: readonly string[]): {
  readonly items: readonly string[];
  readonly test: boolean;
} {
  return { items: words.filter((word) => word !== 'test'), test: words.includes('test') };
}

/** Examples at the end of a command's help. */
export function examples(lines: readonly (readonly [command: string, what: string])[]): string {
  return ['', 'Examples:', ...lines.map(([command, what]) => `  # ${what}\n  $ bench-cli ${command}`)].join(
    '\n',
  );
}
