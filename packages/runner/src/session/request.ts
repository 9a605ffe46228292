import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inspect } from 'node:util';
import { suggestion, UsageError } from '@bench-cli/results';
import {
  type AdaptiveRuns,
  type BenchmarkFile,
  recordedSettings,
  type SessionRequest,
  type Shard,
  type Subject,
} from '@bench-cli/results/recording';
import {
  allSettings,
  type BenchmarkKind,
  type CodeOrigin,
  checkApplicable,
  idleSettings,
  kindOf,
  optionOf,
  type RecordedSettings,
  settings,
} from '@bench-cli/results/settings';
import {
  checkDifferent,
  resolveSubjects,
  type SubjectOptions,
  type SubjectRequests,
  subjectList,
} from '@bench-cli/subjects';
import { cpuSetProblem, platform } from '@bench-cli/system';
import { checkFiles, type Jobs, jobSets } from '../machine/jobs.ts';
import { preparationBy } from '../process/prepare.ts';
import { wordsOf } from '../suite/command.ts';
import { type Discovery, filterFiles, findFiles, isSelected, type Selection } from '../suite/discover.ts';
import { foreignReason, libraryOf, nodeCoreAround } from '../suite/registry.ts';
import { isCarried } from '../suite/script.ts';

/** When an adaptive session ends. Defaults: 36 runs, a margin of 2 % (`run`: 10 %), no time limit. */
export type AdaptiveOptions = {
  readonly [Key in Exclude<keyof AdaptiveRuns, 'extendedFrom'>]?: AdaptiveRuns[Key] | undefined;
};

/** Describes what a session measures. `settings` of `@bench-cli/results` describes each recorded setting. */
export interface RequestOptions extends Selection, Omit<SubjectOptions, 'prepare'>, RecordedSettings {
  /**
   * How many times each configuration runs under each subject; `auto`, or options for it, to stop each as
   * soon as its verdict is clear. Default: 1; 10 for files of several tasks and for commands, so that they
   * can be ranked.
   */
  readonly runs?: number | 'auto' | AdaptiveOptions | undefined;
  /** Only the shortest configuration of each benchmark. Default false. */
  readonly test?: boolean | undefined;
  /**
   * The metrics to measure beside the rate, in as many more runs as `runs` says, or 12 if that is not a
   * number. The setting `metrics` of `@bench-cli/results` lists them. Default: none.
   */
  readonly metrics?: readonly string[] | undefined;
  /**
   * How many cases are measured at the same time, each on a core of its own; `auto` for as many as the
   * machine has cores for, of which one is left free if there are more than two. Only `run` and `compare`, on
   * Linux, without HTTP benchmarks. Default 1.
   */
  readonly jobs?: Jobs | undefined;
  /** The part of the configurations to execute. Default: all. */
  readonly shard?: Shard | undefined;
  /** The names of settings that are defaults of a config file: they may have no effect. Default: none. */
  readonly defaulted?: readonly string[] | undefined;
}

export interface Request {
  readonly request: SessionRequest;
  readonly discovery: Discovery;
}

/**
 * Prepares a session: finds the files, and fetches and checks the runtimes.
 * @param subjects in a comparison the baseline first, in a bisection `good` and `bad`
 * @throws UsageError for invalid options
 */
export async function createRequest(
  command: SessionRequest['command'],
  subjects: SubjectRequests,
  given: RequestOptions,
): Promise<Request> {
  // The command line gives all its settings.
  checkOptionNames(given, Object.keys(settings));
  checkValues(command, given);
  // A bisection has adaptive runs too, but no option for them.
  checkApplicable(command, { ...given, runs: undefined }, given.defaulted);
  const found = findFiles(given);
  const kinds = await kindsOf(found.all);
  const list = subjectList(subjects);
  const options = effective(given, new Set(kinds.values()), list);
  const { timeoutMs = settings.timeoutMs.default, cwd = process.cwd() } = options;
  const { set, cpuSet, loadCpuSet } = readSet(options.set ?? []);
  const jobs = options.jobs === undefined ? undefined : jobSets(options.jobs, cpuSet);
  const several = new Set(
    [...kinds].flatMap(([path, kind]) => (kind === 'createBenchmark' || kind === 'command' ? [] : [path])),
  );
  const all: BenchmarkFile[] = [];
  for (const file of found.all) {
    const { path } = file;
    const isNamed = found.namedItself.has(path) || nodeCoreAround(path) !== undefined;
    const foreign = isNamed || kinds.get(path) !== 'createBenchmark' ? undefined : await foreignReason(path);
    all.push(foreign === undefined ? file : { ...file, foreign });
  }
  const discovery = filterFiles({ ...found, all }, options, several);
  // Ten runs are enough to rank ten alternatives.
  const isRanked =
    (command === 'run' && list.length > 1) ||
    discovery.files.some(({ path, command }) => command !== undefined || several.has(path));
  const test = options.test || options.shortest || false;
  const runs = await readRuns(command, options.runs ?? (isRanked && !test ? 10 : 1));
  const resolved = await resolveSubjects(list, { ...options, prepare: preparationBy(options.prepare) });
  if (command === 'compare' && !options.allowSame && !options.affected) checkDifferent(resolved);
  const runsOfMetrics = command === 'bisect' ? 'search' : options.runs;
  const metrics =
    options.metrics &&
    (await import('./metric-request.ts')).readMetrics(options.metrics, runsOfMetrics, resolved);
  const [good, bad] = resolved;
  const versions =
    command === 'bisect' && good && bad
      ? await (await import('@bench-cli/subjects/code')).versionsOf(good, bad, options)
      : undefined;
  if (jobs !== undefined) checkFiles(discovery.files);
  for (const hook of [options.beforeEach, options.afterEach]) if (hook !== undefined) wordsOf(hook);
  const { filter, exclude, ...recorded } = recordedSettings(options);
  const request: SessionRequest = {
    command,
    files: discovery.files,
    ...(command === 'compare' && changedFiles(discovery, resolved, options)),
    subjects: resolved,
    runs,
    seed: randomInt(2 ** 32),
    settings: {
      ...recorded,
      ...(several.size > 0 && { filter, exclude }),
      set,
      test,
      timeoutMs,
      ...(cpuSet !== undefined && { cpuSet }),
      ...(loadCpuSet !== undefined && { loadCpuSet }),
      ...(jobs !== undefined && { jobs }),
      cwd,
    },
    ...(metrics && { metrics }),
    ...(options.shard && { shard: options.shard }),
    ...(versions && { versions }),
  };
  return { request, discovery };
}

/** The files that only the tree of the first subject has, and the names of the files that it lacks. */
function changedFiles(
  { suite, files }: Discovery,
  [baseline]: readonly Subject[],
  { cwd = process.cwd(), ...options }: RequestOptions,
): Pick<SessionRequest, 'removed' | 'added'> {
  const { base, directory } = baseline?.source ?? { base: cwd, directory: baseline?.cwd ?? cwd };
  const inside = (path: string) => join(directory, relative(base, path));
  if (directory === base || relative(base, suite).startsWith('..') || !existsSync(inside(suite))) return {};
  const known = new Set(files.map(({ name }) => name));
  const removed = filesIn({ ...options, suite: inside(suite), cwd: inside(cwd) }).flatMap(
    ({ name, path, command }) => {
      const here = join(base, relative(directory, path));
      if (command !== undefined || known.has(name) || existsSync(here) || !isSelected(name, options))
        return [];
      // A subject with its own directory has each file by its path below the current one.
      return [{ name, path: baseline?.source === undefined ? here : path }];
    },
  );
  if (removed.length === 0) return {};
  const added = files.filter(({ command, path }) => command === undefined && !existsSync(inside(path)));
  return { removed, ...(added.length > 0 && { added: added.map(({ name }) => name) }) };
}

/** The files of each item that exists. */
function filesIn(selection: Selection): readonly BenchmarkFile[] {
  return selection.items.flatMap((item) => {
    try {
      return findFiles({ ...selection, items: [item] }).all;
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
}

async function kindsOf(all: readonly BenchmarkFile[]): Promise<ReadonlyMap<string, BenchmarkKind>> {
  const kinds = new Map<string, BenchmarkKind>();
  for (const { path, command } of all) {
    const library = command === undefined ? await libraryOf(path) : 'command';
    kinds.set(path, typeof library === 'string' ? library : 'createBenchmark');
  }
  return kinds;
}

/** The options that act on what is measured. @throws UsageError for another one, unless it is a default */
function effective(
  options: RequestOptions,
  kinds: ReadonlySet<BenchmarkKind>,
  subjects: ReturnType<typeof subjectList>,
): RequestOptions {
  // The code that --affected compares is of other subjects.
  const origins = new Set<CodeOrigin>(options.affected ? ['git:REF'] : []);
  for (const { request } of subjects) {
    if (request.packages !== undefined) origins.add('npm:NAME@VERSION');
    if (request.source !== undefined) origins.add(request.source.type === 'git' ? 'git:REF' : 'a directory');
  }
  const idle = idleSettings({ ...options }, { kinds, origins }, options.defaulted);
  const used = { ...options };
  for (const name of idle) Reflect.deleteProperty(used, name);
  return used;
}

/** The options that are not recorded as they are given. */
const otherOptions: Readonly<Record<Exclude<keyof RequestOptions, keyof RecordedSettings>, true>> = {
  items: true,
  names: true,
  suite: true,
  cwd: true,
  env: true,
  cache: true,
  signal: true,
  onFetch: true,
  runs: true,
  metrics: true,
  jobs: true,
  test: true,
  shard: true,
  defaulted: true,
};

const adaptiveOptions: Readonly<Record<keyof AdaptiveOptions, true>> = {
  margin: true,
  maxRuns: true,
  budgetMs: true,
  limits: true,
  allPairs: true,
};

/** @throws UsageError for an unknown option, which a program in JavaScript can misspell */
export function checkOptionNames(
  { runs, ...options }: { readonly runs?: unknown },
  others: readonly string[] = [],
): void {
  const recorded = Object.keys(settings).filter((name) => allSettings[name]?.isRecorded);
  refuseUnknown(options, [...recorded, ...Object.keys(otherOptions), ...others]);
  if (typeof runs === 'object' && runs !== null) refuseUnknown(runs, Object.keys(adaptiveOptions));
}

/** @param known the names of all options @throws UsageError for an option with another name */
export function refuseUnknown(options: object, known: readonly string[]): void {
  const wrong = Object.keys(options).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const advice =
    wrong in adaptiveOptions
      ? `: write runs: { ${wrong}: ... }`
      : suggestion(wrong, known) || ': leave it out';
  throw new UsageError('ERR_BENCH_OPTION', `unknown option "${wrong}"${advice}`);
}

/** @throws UsageError for a value that is not of the kind of its setting */
function checkValues(command: SessionRequest['command'], { runs, ...options }: RequestOptions): void {
  const values = { ...options, ...(typeof runs === 'object' ? runs : { runs }) };
  for (const [name, value] of Object.entries(values)) {
    const setting = allSettings[name];
    if (setting === undefined || setting.isView || value === undefined) continue;
    const { isValid, expected } = kindOf(setting, command);
    if (isValid(value)) continue;
    const problem = `${optionOf(setting)} ${typeof value === 'string' ? value : inspect(value)} is invalid: expected ${expected}`;
    throw new UsageError('ERR_BENCH_OPTION', problem, { option: name });
  }
}

async function readRuns(
  command: SessionRequest['command'],
  runs: NonNullable<RequestOptions['runs']>,
): Promise<SessionRequest['runs']> {
  if (typeof runs === 'number') return runs;
  const { budgetMs, ...options } = runs === 'auto' ? {} : runs;
  const { checkSequentialOptions } = await import('@bench-cli/stats/internal');
  const { limits = [], allPairs } = options;
  return {
    ...checkSequentialOptions({ ...options, margin: options.margin ?? settings.margin.default[command] }),
    ...(budgetMs !== undefined && { budgetMs }),
    ...(allPairs && { allPairs }),
    ...(limits.length > 0 && { limits }),
  };
}

/** CPUSET and LOADCPUSET are for the runner, all other pairs for the scripts. */
function readSet(pairs: readonly string[]) {
  const set: string[] = [];
  let cpuSet: string | undefined;
  let loadCpuSet: string | undefined;
  for (const pair of pairs) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw invalidSet(`${pair} is invalid: write name=value`);
    if (!isCarried(pair))
      throw invalidSet(
        `${inspect(pair)} is invalid: no argument of a process can have NUL or half of a character`,
      );
    if (/\d/.test(value) && Math.abs(Number(value)) === Number.POSITIVE_INFINITY)
      throw invalidSet(`${pair} is invalid: ${value} is too large for a number`);
    if (name === 'CPUSET') cpuSet = checkCpuSet(name, value);
    else if (name === 'LOADCPUSET') loadCpuSet = checkCpuSet(name, value);
    else set.push(pair);
  }
  return { set, cpuSet, loadCpuSet };
}

function checkCpuSet(name: string, value: string): string {
  const pair = `${name}=${value}`;
  const problem = cpuSetProblem(value);
  if (problem !== undefined) throw invalidSet(`${pair} is invalid: ${problem}`, 'ERR_BENCH_CPU_SET');
  if (platform.bind !== undefined) return value;
  throw invalidSet(`${pair} requires Linux: leave it out`, 'ERR_BENCH_PLATFORM');
}

function invalidSet(problem: string, code: `ERR_BENCH_${string}` = 'ERR_BENCH_OPTION'): UsageError {
  return new UsageError(code, `--set ${problem}`, { option: 'set' });
}
