import { UsageError } from '../usage-error.ts';
import * as kinds from './kind.ts';

export const commandNames = [
  'init',
  'run',
  'compare',
  'scatter',
  'analyze',
  'bisect',
  'explain',
  'check',
  'history',
  'fetch',
  'machine',
  'completion',
  'http load',
  'http clients',
  'http server',
] as const;

export type CommandName = (typeof commandNames)[number];

/** The modules of libraries whose files run, with the release whose functions `agent/src/library` has. */
export const libraryReleases = new Map([
  ['node:bench', 'Node.js 26.10'],
  ['tinybench', 'tinybench 6.2'],
  ['vitest', 'vitest 5.1, and bench() of earlier ones'],
  ['mitata', 'mitata 1.0, and baseline() of mitata 0.1'],
  ['bench-node', 'the installed release'],
  ['cronometro', 'cronometro 6.0'],
] as const);
export const libraries = [...libraryReleases.keys()];
export type LibraryModule = (typeof libraries)[number];

const files = ['createBenchmark', ...libraries] as const;
export type BenchmarkKind = (typeof files)[number] | 'command';

/** The origin of the code of a subject, as users write it. */
export type CodeOrigin = 'git:REF' | 'npm:NAME@VERSION' | 'a directory';

/** A setting of the user. Options, help and checks are derived from it. */
export interface Setting {
  /** The option, with a word for its value: `--runs <n|auto>`. */
  readonly flag: `-${string}`;
  /** The kind of its values, or one for each command. Default: a text, or an option without a value. */
  readonly kind?: kinds.Kind<unknown> | Readonly<Partial<Record<CommandName, kinds.Kind<unknown>>>>;
  readonly help: string;
  /** The value without the option, or one for each command. Code that needs the value reads it here. */
  readonly default?: SettingDefault | Readonly<Partial<Record<CommandName, SettingDefault>>>;
  /** The behaviour without the option, in words, if it is not a single value. */
  readonly otherwise?: string | Readonly<Partial<Record<CommandName, string>>>;
  /** The commands that take the option. Those in parentheses show it only in their full help. */
  readonly commands: readonly (CommandName | `(${CommandName})`)[];
  readonly requires?: string;
  /** The affected kinds of benchmarks. Default: all. */
  readonly kinds?: readonly BenchmarkKind[];
  /** The affected origins of code. Default: all subjects. */
  readonly origins?: readonly CodeOrigin[];
  /** Whether the file of a session records it in `settings`. */
  readonly isRecorded?: true;
  /** Whether it affects only output, so that a resumed session can change it. */
  readonly isView?: true;
  /** Whether a resumed session can change it. */
  readonly extends?: true;
}

type SettingDefault = string | number;

type SettingGroup = Readonly<Record<string, Setting>>;

/** The formats of comparisons: `table` is that of compare.R, `rates` is for a terminal. */
const comparisonFormats = ['rates', 'table', 'json', 'markdown'] as const;
/** For other services: Bencher, github-action-benchmark, test reports, and annotations on GitHub. */
const exportFormats = ['bencher', 'github-action-benchmark', 'junit', 'github-annotations'] as const;

/** The metrics of `--metric`, besides `eventNames`. agent/src/metric/metrics.ts measures them. */
export const metricNames = ['alloc', 'retained', 'gc', 'cpu', 'rss'];
export const eventNames = ['instructions', 'cycles', 'branch-misses', 'cache-misses'];

const measuring = ['run', 'compare', 'scatter', 'bisect'] as const;
const inMeasuring = <Value>(value: Value) => ({ run: value, compare: value, scatter: value, bisect: value });
const rareMeasuring = ['(run)', '(compare)', '(scatter)', '(bisect)'] as const;
const rareRecording = [...rareMeasuring, '(http clients)'] as const;
const loading = ['http load', 'http clients'] as const;
const ofCommands = {
  commands: ['(run)', '(compare)', '(bisect)'],
  kinds: ['command'],
  isRecorded: true,
} as const;

const benchmarks = {
  suite: {
    flag: '--suite <dir>',
    help: 'directory of the suite; its subdirectories are the groups',
    otherwise: './benchmarks, ./benchmark or .',
    commands: ['check', ...rareMeasuring],
    kinds: files,
  },
  filter: {
    flag: '--filter <pattern>',
    kind: kinds.texts,
    help: 'only names with this text or /regexp/ (repeatable)',
    commands: ['run', 'compare', 'check', '(scatter)', '(bisect)'],
    isRecorded: true,
  },
  exclude: {
    flag: '--exclude <pattern>',
    kind: kinds.texts,
    help: 'not names with this text or /regexp/ (repeatable)',
    commands: ['run', '(compare)', '(bisect)'],
    isRecorded: true,
  },
  functions: {
    flag: '--functions',
    help: 'which functions of the project the benchmarks would notice to become slower, in place of mistakes',
    commands: ['check'],
  },
  names: {
    flag: '--command-name <name>',
    kind: kinds.texts,
    help: 'name of a whole command in the results (repeatable, in the order of the commands)',
    commands: ['(run)', '(compare)'],
  },
  affected: {
    flag: '--affected',
    help: 'succeed if no benchmark loads changed code; in run, only benchmark files that load code changed since --old',
    commands: ['(compare)', '(run)'],
    isRecorded: true,
  },
  dryRun: {
    flag: '--dry-run',
    help: 'only list the cases; with --affected, the files and those left out, and why',
    commands: ['(run)', '(compare)'],
  },
  set: {
    flag: '--set <name=value>',
    kind: kinds.texts,
    help: 'set a parameter; {n} in commands: n=1,2,4 or n=1..8; CPUSET=0-2: the CPUs (repeatable)',
    commands: [...measuring, 'check', '(http clients)'],
    isRecorded: true,
  },
  allowNewValues: {
    flag: '--allow-new-values',
    help: 'with --set: accept texts that a benchmark does not list for the parameter (numbers are always accepted)',
    commands: [...rareMeasuring, '(check)'],
    requires: 'set',
    isRecorded: true,
  },
  tags: {
    flag: '--tag <tag>',
    kind: kinds.texts,
    help: 'only benchmarks of node:bench with the tag (repeatable)',
    commands: rareMeasuring,
    kinds: ['node:bench'],
    isRecorded: true,
  },
  where: {
    flag: '--where <condition>',
    kind: kinds.texts,
    help: 'only cases that meet it, such as len!=0, len>=1024 or benchmark=url/parse.ts (repeatable)',
    commands: ['analyze', 'explain'],
  },
} as const satisfies SettingGroup;

const ownRuntime = 'the Node.js that runs bench-cli';

const subjects = {
  old: {
    flag: '--old <subject>',
    kind: kinds.onlyText,
    help: 'git:REF, npm:NAME@VERSION, a runtime (node@22, a path) or a directory; then flags=, env= and cwd= after commas',
    default: { run: 'git:HEAD' },
    commands: ['compare', 'bisect', '(run)'],
  },
  new: {
    flag: '--new <subject>',
    kind: kinds.onlyText,
    help: 'what is compared',
    default: '.',
    commands: ['compare', 'bisect'],
  },
  subjects: {
    flag: '--subject <subject>',
    kind: { run: kinds.texts, compare: kinds.severalTexts, scatter: kinds.oneText, check: kinds.oneText },
    help: 'what to measure, such as node@22; several are ranked',
    otherwise: { run: ownRuntime, scatter: ownRuntime, check: ownRuntime },
    commands: ['run', 'compare', 'scatter', 'check'],
  },
  prepare: {
    flag: '--prepare <command>',
    help: 'shell command that prepares the files of git:REF, once per commit, such as "npm ci && npm run build"',
    commands: ['bisect', '(compare)', '(run)'],
    origins: ['git:REF'],
    isRecorded: true,
  },
  installScripts: {
    flag: '--install-scripts',
    help: 'let the packages of npm:NAME@VERSION run their install scripts',
    commands: ['(compare)', '(bisect)'],
    origins: ['npm:NAME@VERSION'],
    isRecorded: true,
  },
  benchmarksFrom: {
    flag: '--benchmarks-from <place>',
    kind: kinds.oneOf(['current', 'subject']),
    help: 'with git:REF or a directory: run the benchmarks of the current files, or those of each subject',
    default: 'current',
    commands: ['(compare)'],
    origins: ['git:REF', 'a directory'],
    isRecorded: true,
  },
  allowSame: {
    flag: '--allow-same',
    help: 'compare even what is the same code under all subjects, to see how much equal code differs',
    commands: ['(compare)'],
    isRecorded: true,
  },
} as const satisfies SettingGroup;

const runs = {
  runs: {
    flag: '--runs <n|auto>',
    kind: {
      run: kinds.countOrAuto,
      compare: kinds.countOrAuto,
      scatter: kinds.countOrAuto,
      explain: kinds.count,
    },
    help: 'runs per case; auto: until its result is clear',
    default: { run: 1, scatter: 30, compare: 'auto', explain: 20 },
    otherwise: { run: '10 to rank subjects, commands and files of other tools' },
    commands: ['run', 'compare', 'scatter', 'explain'],
  },
  margin: {
    flag: '--margin <percent>',
    kind: kinds.percentage,
    help: 'the smallest difference that matters',
    default: { ...inMeasuring(0.02), run: 0.1, 'http clients': 0.03 },
    otherwise: { history: 'any' },
    commands: ['run', 'compare', 'bisect', 'history', 'http clients', '(scatter)'],
  },
  maxRuns: {
    flag: '--max-runs <n>',
    kind: kinds.count,
    help: 'with --runs auto: the maximum number of runs',
    default: 36,
    commands: rareMeasuring,
    extends: true,
  },
  budgetMs: {
    flag: '--budget <time>',
    kind: kinds.duration,
    help: 'with --runs auto: start no run after this time, such as 90s, 20m or 2h; runs with metrics get up to half of it; in check, of the sessions that --functions is about',
    default: { 'http clients': 600_000 },
    commands: ['bisect', '(run)', '(compare)', '(scatter)', '(http clients)', '(check)'],
    extends: true,
  },
  timeoutMs: {
    flag: '--timeout <time>',
    kind: kinds.durationOrNone,
    help: 'time limit per run; 0 for none',
    default: 300_000,
    commands: ['bisect', '(run)', '(compare)', '(scatter)', '(http clients)'],
    isRecorded: true,
  },
  samples: {
    flag: '--samples <n|auto>',
    kind: { ...inMeasuring(kinds.count), 'http clients': kinds.countOrAuto },
    help: 'samples per run of benchmarks of node:bench, whose mean is the rate; of http clients, samples per client (SAMPLES), or auto: until all results are clear',
    default: 1,
    commands: [...rareMeasuring, 'http clients'],
    kinds: ['node:bench'],
    isRecorded: true,
  },
  warmup: {
    flag: '--warmup <n>',
    kind: { ...inMeasuring(kinds.countOrNone), 'http load': kinds.durationOrNone },
    help: 'samples per run of benchmarks of node:bench before the measured ones (compare-node-bench.js takes 0); of whole commands, runs before the first measured one; of http load, a duration of the same load before it',
    default: { 'http load': 0 },
    otherwise: inMeasuring('as the benchmark declares'),
    commands: [...rareMeasuring, 'http load'],
    kinds: ['node:bench', 'command'],
    isRecorded: true,
  },
  beforeEach: {
    flag: '--before-each <command>',
    help: 'command that runs before each run of a whole command, and is not measured',
    ...ofCommands,
  },
  afterEach: {
    flag: '--after-each <command>',
    help: 'command that runs after each run of a whole command, and is not measured',
    ...ofCommands,
  },
  ignoreFailure: {
    flag: '--ignore-failure',
    help: 'measure whole commands that exit with another code than 0',
    ...ofCommands,
  },
  declaredTimes: {
    flag: '--declared-times',
    help: 'with --runs auto: keep the times of measure() and of files of libraries such as tinybench, in place of planned ones',
    commands: ['(run)', '(compare)', '(scatter)'],
    kinds: files.filter((kind) => kind !== 'node:bench'),
    isRecorded: true,
  },
  shortest: {
    flag: '--shortest',
    help: 'run every case as short as possible, with n=1 and dur=0.1 where --set gives nothing else, to see which fail',
    commands: ['(run)'],
    kinds: files,
    isRecorded: true,
  },
  jobs: {
    flag: '--jobs <n|auto>',
    kind: kinds.countOrAuto,
    help: 'cases measured at the same time, each on its own cores (Linux)',
    default: 1,
    commands: ['run', '(compare)'],
  },
  metrics: {
    flag: '--metric <list>',
    kind: kinds.names,
    help: `also measure, in more runs (bisect: search by one): ${metricNames.join(', ')}; with perf: ${eventNames.join(', ')}`,
    commands: ['run', '(compare)', '(bisect)'],
    kinds: files,
  },
  governor: {
    flag: '--governor <name>',
    help: 'first set the frequency governor of all CPUs, such as performance or powersave (Linux, as root)',
    commands: ['machine'],
  },
  arrivalRate: {
    flag: '--rate <n>',
    kind: kinds.perSecond,
    help: 'requests per second, whatever the answers',
    otherwise: 'as many as the connections can send',
    commands: ['http load'],
  },
  findRate: {
    flag: '--find-rate <limit>',
    help: 'search the highest rate at which a latency keeps a limit, such as p99<50ms; the duration is that of each load',
    commands: ['http load'],
  },
  loadMs: {
    flag: '--duration <time>',
    kind: kinds.duration,
    help: 'duration of the load',
    default: 10_000,
    commands: ['http load'],
  },
} as const satisfies SettingGroup;

const results = {
  write: { flag: '--write', help: 'write the files without asking', commands: ['init'] },
  format: {
    flag: '--format <format>',
    kind: {
      run: kinds.oneOf(['simple', 'table', 'csv', 'json']),
      compare: kinds.oneOf(['csv', ...comparisonFormats]),
      bisect: kinds.oneOf(['table', 'json', 'markdown']),
      analyze: kinds.oneOf([...comparisonFormats, 'csv', 'bars', ...exportFormats]),
      check: kinds.oneOf(['text', 'markdown', 'json']),
      machine: kinds.oneOf(['text', 'json']),
      history: kinds.oneOf(['table', 'json']),
      'http load': kinds.oneOf(['text', 'json']),
      'http clients': kinds.oneOf(['table', 'markdown', 'csv', 'json']),
    },
    help: 'output format',
    default: {
      run: 'table',
      compare: 'rates',
      bisect: 'table',
      analyze: 'rates',
      check: 'text',
      machine: 'text',
      history: 'table',
      'http load': 'text',
      'http clients': 'table',
    },
    commands: ['run', 'compare', 'bisect', 'analyze', 'check', 'machine', 'history', ...loading],
    isView: true,
  },
  groupBy: {
    flag: '--group-by <list>',
    kind: kinds.names,
    help: 'one line per value of these parameters, separated by commas ("benchmark" for the file); with --xaxis of one parameter',
    commands: ['(analyze)'],
  },
  xaxis: {
    flag: '--xaxis <parameter>',
    help: 'show how the rate depends on it, as scatter.R and scatter.js --analyze do',
    commands: ['analyze'],
  },
  log: {
    flag: '--log',
    help: 'with --xaxis and --plot: use a logarithmic axis of base 2',
    commands: ['(analyze)'],
  },
  plot: {
    flag: '--plot <file>',
    kind: kinds.path,
    help: 'also draw the results into this file (.svg or .png); of a load, the latencies that --find-rate measured',
    commands: ['analyze', 'http clients', '(http load)'],
    isView: true,
  },
  html: {
    flag: '--html <file>',
    kind: kinds.path,
    help: 'also write one HTML page; of runs, with their pictures',
    commands: ['analyze', 'history', 'check'],
  },
  failOn: {
    flag: '--fail-on <threshold>',
    kind: kinds.texts,
    help: 'exit with 1 if a change is certainly beyond it, such as slower>=5%, or alloc>5% of a metric, or if benchmarks are removed (repeatable)',
    otherwise: { analyze: 'as in compare' },
    commands: ['compare', 'analyze'],
    isRecorded: true,
    isView: true,
  },
  allowMissing: {
    flag: '--allow-missing',
    help: 'with --fail-on: accept failed runs, and cases without enough results to judge',
    commands: ['(compare)', '(analyze)'],
    isRecorded: true,
    isView: true,
  },
} as const satisfies SettingGroup;

const session = {
  file: {
    flag: '--file <history>',
    kind: kinds.path,
    help: 'the file of the history (JSON Lines; required)',
    commands: ['history'],
  },
  commit: {
    flag: '--commit <id>',
    help: 'the commit that was measured',
    otherwise: 'GITHUB_SHA or CI_COMMIT_SHA',
    commands: ['history'],
  },
  machine: {
    flag: '--machine <name>',
    help: 'the machine, or the kind of machine if all of a kind are equal',
    otherwise: 'the CPU and the number of CPUs',
    commands: ['history'],
  },
  out: {
    flag: '--out <file>',
    kind: kinds.path,
    help: 'results file to write, run by run (JSON Lines)',
    commands: ['run', 'compare', 'bisect', 'http clients', 'analyze', '(scatter)'],
  },
  resume: {
    flag: '--resume <file>',
    kind: kinds.path,
    help: 'continue the interrupted session of this file',
    commands: [...measuring, '(http clients)'],
    isView: true,
  },
  trust: {
    flag: '--trust',
    help: 'use files that other users can change, and run the programs that a results file names, although you did not begin its session here',
    commands: [...rareRecording, '(explain)', '(check)', '(history)', '(http load)', '(http server)'],
    isView: true,
  },
  shard: {
    flag: '--shard <k/n>',
    kind: kinds.shard,
    help: 'run part k of n, to share the work between machines',
    commands: ['(run)', '(compare)'],
  },
  progress: {
    flag: '--no-progress',
    help: 'hide the progress line',
    commands: [...rareRecording, '(explain)', '(check)'],
    isView: true,
  },
} as const satisfies SettingGroup;

const server = {
  port: {
    flag: '--port <port>',
    kind: kinds.countOrNone,
    help: 'port of the server (PORT); without one, http clients starts a server on a free port',
    default: 3030,
    commands: ['http server', '(http clients)'],
  },
  host: {
    flag: '--host <address>',
    help: 'address of the server (HOST)',
    default: '127.0.0.1',
    commands: ['http server', '(http clients)'],
  },
  socketPath: {
    flag: '--socket <path>',
    kind: kinds.path,
    help: 'Unix socket of the server instead of a port (SOCKET)',
    commands: ['http server', '(http clients)', '(http load)'],
  },
  protocol: {
    flag: '--protocol <protocol>',
    kind: kinds.oneOf(['http', 'https', 'http2', 'h2c']),
    help: 'HTTP/1.1 (http, https), or HTTP/2 over TLS (http2) or in cleartext (h2c) (PROTOCOL)',
    default: { 'http clients': 'http', 'http server': 'http' },
    otherwise: { 'http load': 'what the server speaks' },
    commands: ['http clients', 'http server', '(http load)'],
  },
  delayMs: {
    flag: '--delay <time>',
    kind: kinds.durationOrNone,
    help: 'delay of each answer (TIMEOUT, in ms)',
    default: 1,
    commands: ['http server', '(http clients)'],
  },
  workers: {
    flag: '--workers <n>',
    kind: kinds.count,
    help: 'number of processes of the server (WORKERS)',
    otherwise: 'one per CPU',
    commands: ['http server', '(http clients)'],
  },
  connections: {
    flag: '--connections <n>',
    kind: kinds.count,
    help: 'number of open connections',
    default: { 'http load': 100, 'http clients': 50 },
    commands: loading,
  },
  method: {
    flag: '--method <method>',
    help: 'HTTP method',
    default: 'GET',
    otherwise: { 'http load': 'POST with a body', 'http clients': 'POST sends 128 KiB' },
    commands: loading,
  },
  pipelining: {
    flag: '--pipelining <n>',
    kind: kinds.count,
    help: 'pipelined requests per connection; of the clients, undici and fetch do it (PIPELINING)',
    default: { 'http load': 1, 'http clients': 10 },
    commands: ['(http load)', '(http clients)'],
  },
  parallel: {
    flag: '--parallel <n>',
    kind: kinds.count,
    help: 'requests per sample, sent at once (PARALLEL)',
    default: 100,
    commands: ['http clients'],
  },
  body: {
    flag: '--body <text>',
    help: 'body of the requests; @FILE reads it from a file',
    commands: ['http load'],
  },
  mix: {
    flag: '--mix <file>',
    kind: kinds.path,
    help: 'JSON file with a list of requests: path, method, headers, body and weight of each',
    commands: ['http load'],
  },
  expectStatus: {
    flag: '--expect-status <n>',
    kind: kinds.count,
    help: 'status of a right answer; others are failures',
    otherwise: 'any 2xx',
    commands: ['http load'],
  },
  headers: {
    flag: '--header <name: value>',
    kind: kinds.texts,
    help: 'header of the requests (repeatable)',
    commands: ['http load'],
  },
  benchmarker: {
    flag: '--benchmarker <name>',
    help: 'load tool',
    otherwise: 'the best that is installed and supports the options',
    commands: ['http load'],
  },
} as const satisfies SettingGroup;

/** The groups of settings, in the order of the help. */
export const settingGroups: Readonly<Record<string, SettingGroup>> = {
  Benchmarks: benchmarks,
  Subjects: subjects,
  Runs: runs,
  Results: results,
  Session: session,
  Server: server,
};

/** All settings by their names in the programmatic API and in `defaults` of a config file. */
export const settings = { ...benchmarks, ...subjects, ...runs, ...results, ...session, ...server };

export type SettingName = keyof typeof settings;

export type SettingValue<
  Name extends SettingName,
  Command extends CommandName = CommandName,
> = (typeof settings)[Name] extends { readonly kind: infer Kind }
  ? ValueOf<Kind, Command>
  : (typeof settings)[Name]['flag'] extends `${string} ${string}`
    ? string
    : boolean;

type ValueOf<Kind, Command> =
  Kind extends kinds.Kind<infer Value> ? Value : ValueOf<Kind[keyof Kind & Command], Command>;

type CommandOf<Use> = Use extends `(${infer Command})` ? Command : Use;

/** The settings of a command that the user has given. */
export type CommandSettings<Command extends CommandName> = {
  readonly [Name in SettingName as Command extends CommandOf<(typeof settings)[Name]['commands'][number]>
    ? Name
    : never]?: SettingValue<Name, Command> | undefined;
} & (Command extends CommandOf<(typeof benchmarks.suite.commands)[number]>
  ? // Only a session asks whether a setting affects what it measures.
    { readonly defaulted?: readonly string[] | undefined }
  : unknown);

/** The recorded settings of a session, as its command got them. */
export type RecordedSettings = {
  readonly [Name in SettingName as (typeof settings)[Name] extends { readonly isRecorded: true }
    ? Name
    : never]?: SettingValue<Name, (typeof measuring)[number]> | undefined;
};

/** All settings, for code that handles any of them. */
export const allSettings: Readonly<Record<string, Setting>> = { ...settings };

/** The option of a setting, without the word for its value. */
export function optionOf({ flag }: Setting): string {
  return flag.split(' ', 1)[0] ?? flag;
}

export function settingCommands({ commands }: Setting): readonly CommandName[] {
  return commands.flatMap((each) => commandNames.filter((name) => each === name || each === `(${name})`));
}

export function takes(setting: Setting, command: CommandName): boolean {
  return settingCommands(setting).includes(command);
}

export function settingsOf(command: CommandName): readonly (readonly [name: string, setting: Setting])[] {
  return Object.entries(allSettings).filter(([, setting]) => takes(setting, command));
}

/** Settings without those that a command does not take. */
export function settingsFor<Settings extends object>(
  command: CommandName,
  given: Settings,
): Partial<Settings> {
  const taken: Partial<Settings> = { ...given };
  for (const [name, setting] of Object.entries(allSettings))
    if (!takes(setting, command)) Reflect.deleteProperty(taken, name);
  return taken;
}

interface Measured {
  readonly kinds: ReadonlySet<BenchmarkKind>;
  readonly origins: ReadonlySet<CodeOrigin>;
}

/** The names of settings that affect nothing measured. @throws UsageError unless they are defaults */
export function idleSettings(
  given: Readonly<Record<string, unknown>>,
  { kinds: measured, origins: used }: Measured,
  defaults: readonly string[] = [],
): readonly string[] {
  return Object.entries(allSettings).flatMap(([name, setting]) => {
    if (asksNothing(given[name])) return [];
    const { kinds: acted, origins } = setting;
    const missing = acted?.every((kind) => !measured.has(kind))
      ? `benchmarks of ${listed(acted)}`
      : origins?.every((origin) => !used.has(origin))
        ? `subjects with code of ${listed(origins)}`
        : undefined;
    if (missing === undefined) return [];
    if (defaults.includes(name)) return [name];
    const problem = `${optionOf(setting)} acts only on ${missing}, of which there are none`;
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', `${problem}: leave it out`, { option: name });
  });
}

/** Programs pass unset flags and empty lists. */
function asksNothing(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}

function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

/** @throws UsageError for a setting that the command does not take, or that requires another one */
export function checkApplicable(
  command: CommandName,
  given: Readonly<Record<string, unknown>>,
  defaults: readonly string[] = [],
): void {
  for (const [name, setting] of Object.entries(allSettings)) {
    if (asksNothing(given[name]) || defaults.includes(name)) continue;
    const option = optionOf(setting);
    const required = setting.requires === undefined ? undefined : allSettings[setting.requires];
    const message = !takes(setting, command)
      ? `${option} does not apply to ${command}: leave it out`
      : required !== undefined && asksNothing(given[setting.requires ?? ''])
        ? `${option} requires ${optionOf(required)}: add it, or leave ${option} out`
        : undefined;
    if (message !== undefined) throw new UsageError('ERR_BENCH_OPTION_CONFLICT', message, { option: name });
  }
}

export function kindOf(
  { flag, kind = flag.includes(' ') ? kinds.text : kinds.flag }: Setting,
  command: CommandName,
): kinds.Kind<unknown> {
  const kindOfCommand = 'read' in kind ? kind : kind[command];
  if (kindOfCommand === undefined) throw new RangeError(`${command} does not have the setting`);
  return kindOfCommand;
}

/** The value without the option, for a command. */
export function defaultOf({ default: value }: Setting, command: CommandName): SettingDefault | undefined {
  return typeof value === 'object' ? value[command] : value;
}

/** The default without the option, as a user would write it, or in words. */
export function defaultText(setting: Setting, command: CommandName): string | undefined {
  const value = defaultOf(setting, command);
  const { otherwise } = setting;
  const words = typeof otherwise === 'object' ? otherwise[command] : otherwise;
  const texts = [...(value === undefined ? [] : kindOf(setting, command).write(value)), words];
  return texts.filter((text) => text !== undefined).join('; ') || undefined;
}
