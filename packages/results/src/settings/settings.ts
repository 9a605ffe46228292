import { UsageError } from '../usage-error.ts';
import * as kinds from './kind.ts';

export const commandNames = [
  'run',
  'compare',
  'scatter',
  'analyze',
  'bisect',
  'explain',
  'check',
  'history',
  'merge',
  'fetch',
  'machine',
  'completion',
  'http load',
  'http clients',
  'http server',
] as const;

export type CommandName = (typeof commandNames)[number];

/** What the user can set. Everything that is said or done about an option is read from here. */
export interface Setting {
  /** The option, with a word for its value: `--runs <n|auto>`. */
  readonly flag: `-${string}`;
  /** The kind of its values, or one for each command. Default: what its word says. */
  readonly kind?: kinds.Kind<unknown> | Readonly<Partial<Record<CommandName, kinds.Kind<unknown>>>>;
  readonly help: string;
  /** The value without the option, as the user would write it, or in words. */
  readonly default?: string | Readonly<Partial<Record<CommandName, string>>>;
  /** The commands that take it. Those in parentheses show it only in their whole help. */
  readonly commands: readonly (CommandName | `(${CommandName})`)[];
  /** The name of the setting without which it means nothing. */
  readonly requires?: string;
  /** Whether the file of a session has it, in `settings`. */
  readonly isRecorded?: true;
  /** Whether it is only about what is shown, so that it can change when a session is resumed. */
  readonly isView?: true;
  /** Whether a session that is resumed can have another value. */
  readonly extends?: true;
}

type SettingGroup = Readonly<Record<string, Setting>>;

/** How comparisons are printed: `table` is that of compare.R, `rates` is for a terminal. */
const comparisonFormats = ['rates', 'table', 'json', 'markdown'] as const;
/** For other services: Bencher, github-action-benchmark, CI services that show tests, and annotations of checks on GitHub. */
const exportFormats = ['bencher', 'github-action-benchmark', 'junit', 'github-annotations'] as const;

const measuring = ['run', 'compare', 'scatter', 'bisect'] as const;
const rareMeasuring = ['(run)', '(compare)', '(scatter)', '(bisect)'] as const;
const rareRecording = [...rareMeasuring, '(http clients)'] as const;
const loading = ['http load', 'http clients'] as const;

const benchmarks = {
  suite: {
    flag: '--suite <dir>',
    help: 'directory of the suite; its subdirectories are the groups',
    default: './benchmarks, ./benchmark or .',
    commands: ['check', ...rareMeasuring],
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
  affected: {
    flag: '--affected',
    help: 'only benchmark files that load code which differs between --old and --new; in run, between --old and the working tree',
    commands: ['(compare)', '(run)'],
  },
  dryRun: {
    flag: '--dry-run',
    help: 'only list the benchmark files; with --affected, also those that are left out, and why',
    commands: ['(run)', '(compare)'],
  },
  set: {
    flag: '--set <name=value>',
    kind: kinds.texts,
    help: 'set a parameter; CPUSET=0-2 sets the CPUs (repeatable)',
    commands: [...measuring, 'check', '(http clients)'],
    isRecorded: true,
  },
  allowNewValues: {
    flag: '--allow-new-values',
    help: 'with --set: accept texts that a benchmark does not list for the parameter (numbers are always accepted)',
    commands: [...rareMeasuring, '(check)'],
    isRecorded: true,
  },
  tags: {
    flag: '--tag <tag>',
    kind: kinds.texts,
    help: 'only benchmarks of node:bench with the tag (repeatable)',
    commands: rareMeasuring,
    isRecorded: true,
  },
  parameter: {
    flag: '--parameter <name>',
    help: 'the parameter that counts operations',
    default: 'n',
    commands: ['check'],
  },
  where: {
    flag: '--where <condition>',
    kind: kinds.texts,
    help: 'only configurations that meet it, such as encoding=ascii, len!=0, len>=1024 or benchmark=url/parse.ts (repeatable)',
    commands: ['analyze', 'explain'],
  },
} as const satisfies SettingGroup;

const subjects = {
  old: {
    flag: '--old <subject>',
    help: 'git:REF, npm:NAME@VERSION, a runtime (node@22, a path) or a directory; then flags=, env= and cwd= after commas',
    default: { run: 'git:HEAD' },
    commands: ['compare', '(run)'],
  },
  new: {
    flag: '--new <subject>',
    help: 'what is compared',
    default: '., the working tree',
    commands: ['compare'],
  },
  subjects: {
    flag: '--subject <subject>',
    kind: kinds.texts,
    help: 'two or more in place of --old and --new, as [name=]subject; the first is the baseline (repeatable)',
    commands: ['compare'],
  },
  subject: {
    flag: '--subject <subject>',
    help: 'what to measure, such as node@22,flags=--no-opt',
    default: 'the Node.js that runs bench-cli',
    commands: ['run', 'scatter', 'check'],
  },
  good: {
    flag: '--good <subject>',
    help: 'the version before the change, such as node@22.0.0, npm:yaml@2.0.0 or git:v1.0',
    commands: ['bisect'],
  },
  bad: {
    flag: '--bad <subject>',
    help: 'the version after the change, such as node@22.19.0, npm:yaml@2.8.0, git:main or "."',
    commands: ['bisect'],
  },
  prepare: {
    flag: '--prepare <command>',
    help: 'shell command that prepares the files of git:REF, once per commit, such as "npm ci && npm run build"',
    commands: ['bisect', '(compare)', '(run)'],
    isRecorded: true,
  },
  prepareTimeoutMs: {
    flag: '--prepare-timeout <time>',
    help: 'time limit of --prepare, and of --verify',
    default: '30m',
    commands: ['(compare)', '(bisect)', '(run)'],
  },
  installScripts: {
    flag: '--install-scripts',
    help: 'let the packages of npm:NAME@VERSION run their install scripts',
    commands: ['(compare)', '(bisect)'],
    isRecorded: true,
  },
  benchmarksFrom: {
    flag: '--benchmarks-from <place>',
    kind: kinds.oneOf(['current', 'subject']),
    help: 'with git:REF or a directory: run the benchmarks of the current files, or those of each subject',
    default: 'current',
    commands: ['(compare)'],
    isRecorded: true,
  },
  allowSame: {
    flag: '--allow-same',
    help: 'compare even if both subjects are the same code, to see how much equal code differs',
    commands: ['(compare)'],
    isRecorded: true,
  },
} as const satisfies SettingGroup;

const runs = {
  runs: {
    flag: '--runs <n|auto>',
    help: 'runs per configuration; auto: until its result is clear',
    default: { run: '1', scatter: '30', compare: 'auto; 30 for CSV' },
    commands: ['run', 'compare', 'scatter'],
  },
  margin: {
    flag: '--margin <percent>',
    help: 'the smallest difference that matters',
    default: { run: '2%', compare: '2%', scatter: '2%', bisect: '2%', 'http clients': '3%', history: 'any' },
    commands: ['run', 'compare', 'bisect', 'history', 'http clients', '(scatter)'],
  },
  maxRuns: {
    flag: '--max-runs <n>',
    help: 'with --runs auto: the maximum number of runs',
    default: '36',
    commands: rareMeasuring,
    extends: true,
  },
  errorRate: {
    flag: '--error-rate <percent>',
    help: 'with --runs auto: the accepted share of false verdicts',
    default: '5%',
    commands: rareMeasuring,
  },
  budgetMs: {
    flag: '--budget <time>',
    help: 'with --runs auto: start no run after this time, such as 90s, 20m or 2h',
    default: { 'http clients': '10m' },
    commands: ['bisect', '(run)', '(compare)', '(scatter)', '(http clients)'],
    extends: true,
  },
  timeoutMs: {
    flag: '--timeout <time>',
    kind: kinds.durationOrNone,
    help: 'time limit per run; 0 for none',
    default: '5m',
    commands: ['bisect', '(run)', '(compare)', '(scatter)', '(http clients)'],
    isRecorded: true,
  },
  samples: {
    flag: '--samples <n>',
    help: 'samples per run of benchmarks of node:bench; the rate is their mean',
    default: '1',
    commands: rareMeasuring,
    isRecorded: true,
  },
  warmup: {
    flag: '--warmup <n>',
    kind: kinds.countOrNone,
    help: 'samples per run of benchmarks of node:bench before the measured ones; compare-node-bench.js takes 0',
    default: 'as the benchmark declares',
    commands: rareMeasuring,
    isRecorded: true,
  },
  declaredTimes: {
    flag: '--declared-times',
    help: 'with --runs auto: keep the times of measure() and of files of tinybench, vitest and mitata, in place of planned ones',
    commands: ['(run)', '(compare)', '(scatter)'],
    isRecorded: true,
  },
  shortest: {
    flag: '--shortest',
    help: 'run every configuration as short as possible, with n=1 and dur=0.1 where --set gives nothing else, to see which fail',
    commands: ['(run)'],
    isRecorded: true,
  },
  calibrate: {
    flag: '--calibrate',
    help: 'first find, for each configuration with a number n, the n that gives steady runs in the least time',
    commands: ['scatter', '(run)', '(compare)', '(bisect)'],
    isRecorded: true,
  },
  jobs: {
    flag: '--jobs <n|auto>',
    help: 'configurations measured at the same time, each on its own cores (Linux)',
    default: '1',
    commands: ['run', '(compare)'],
  },
  control: {
    flag: '--control',
    help: 'also compare the baseline with itself, in one more run in each of 10 rounds, to see how much equal code differs',
    commands: ['(compare)'],
    isRecorded: true,
  },
  startUp: {
    flag: '--start-up <comparisons>',
    kind: kinds.oneOf(['found', 'all', 'none']),
    help: 'then measure how much of a difference is start-up, with 4 times n: found (of the differences, in at most 15 % of the time), all (of every comparison) or none',
    default: 'found; none for CSV',
    commands: ['(compare)'],
    isRecorded: true,
  },
  metrics: {
    flag: '--metric <list>',
    help: 'also measure, in more runs: alloc (bytes per operation), retained, gc, collections, cpu, eventLoop, rss; with perf: instructions, cycles, branch-misses, cache-misses',
    commands: ['run', '(compare)'],
  },
  metricRuns: {
    flag: '--metric-runs <n>',
    help: 'with --metric: number of these runs',
    default: '8',
    commands: ['(run)', '(compare)'],
    requires: 'metrics',
  },
  profileRuns: {
    flag: '--profile-runs <n>',
    help: 'profiles of each kind per configuration and subject',
    default: '10',
    commands: ['explain'],
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
    default: 'as many as the connections can send',
    commands: ['http load'],
  },
  findRate: {
    flag: '--find-rate <promise>',
    kind: kinds.text,
    help: 'search the highest rate at which a latency keeps a limit, such as p99<50ms; the duration is that of each load',
    commands: ['http load'],
  },
  loadMs: {
    flag: '--duration <time>',
    help: 'duration of the load',
    default: '10s',
    commands: ['http load'],
  },
  warmUpMs: {
    flag: '--warm-up <time>',
    help: 'duration of the same load before it',
    default: 'none',
    commands: ['http load'],
  },
  clientSamples: {
    flag: '--samples <n|auto>',
    kind: kinds.text,
    help: 'samples per client; auto: until all pairs are decided (SAMPLES)',
    default: '1',
    commands: ['http clients'],
  },
} as const satisfies SettingGroup;

const results = {
  format: {
    flag: '--format <format>',
    kind: {
      run: kinds.oneOf(['simple', 'table', 'csv', 'json']),
      compare: kinds.oneOf(['csv', ...comparisonFormats]),
      bisect: kinds.oneOf(['table', 'json', 'markdown']),
      analyze: kinds.oneOf([...comparisonFormats, 'bars', 'hdr', ...exportFormats]),
      check: kinds.oneOf(['text', 'json']),
      machine: kinds.oneOf(['text', 'json']),
      history: kinds.oneOf(['table', 'json']),
      'http load': kinds.oneOf(['text', 'json']),
      'http clients': kinds.oneOf(['table', 'markdown', 'csv', 'json']),
    },
    help: 'output format',
    default: {
      run: 'table; simple in a pipe',
      compare: 'rates; csv in a pipe',
      bisect: 'table',
      analyze: 'rates; table in a pipe',
      check: 'text',
      machine: 'text',
      history: 'table',
      'http load': 'text',
      'http clients': 'table; csv in a pipe',
    },
    commands: ['run', 'compare', 'bisect', 'analyze', 'check', 'machine', 'history', ...loading],
    isView: true,
  },
  columns: {
    flag: '--columns <list>',
    kind: kinds.names(['runs', 'ratio', 'chart', 'effect', 'rank', 'adjusted']),
    help: "more columns, separated by commas: runs, ratio, chart, effect (Hedges' g), rank (p of a rank test), adjusted (p corrected for the number of comparisons), or all",
    commands: ['analyze', '(compare)'],
    isView: true,
  },
  correct: {
    flag: '--correct <method>',
    kind: kinds.oneOf(['benjamini-hochberg', 'holm']),
    help: 'show p-values corrected for the number of comparisons; holm is stricter, also for --fail-on',
    commands: ['(compare)', '(analyze)'],
    isView: true,
  },
  ledger: {
    flag: '--ledger <file>',
    help: 'record whether the new subject is better than the old one, as the next of a series of candidates, at the error rate that keeps the false ones of the whole series below --error-rate',
    commands: ['(compare)'],
  },
  verify: {
    flag: '--verify <command>',
    help: 'shell command that must succeed before anything is measured, such as "npm test"',
    commands: ['(compare)'],
  },
  explain: {
    flag: '--explain',
    help: 'then show which functions made the difference',
    commands: ['compare'],
    isView: true,
  },
  track: {
    flag: '--track',
    help: 'print how long each benchmark took',
    commands: ['(run)'],
    isView: true,
  },
  check: {
    flag: '--check',
    help: 'warn about configurations with few runs, outliers, two modes or trends',
    commands: ['(analyze)'],
  },
  groupBy: {
    flag: '--group-by <list>',
    help: 'one line per value of these parameters, separated by commas ("benchmark" for the file)',
    commands: ['(analyze)'],
  },
  sort: {
    flag: '--sort <order>',
    kind: kinds.oneOf(['name', 'effect', 'p']),
    help: 'by name, effect (the largest loss first) or p (the smallest first)',
    default: 'name',
    commands: ['analyze'],
  },
  xaxis: {
    flag: '--xaxis <parameter>',
    help: 'show how the rate depends on it, as scatter.R does',
    commands: ['analyze'],
  },
  category: {
    flag: '--category <parameter>',
    help: 'with --xaxis: one line for each of its values',
    commands: ['analyze'],
  },
  log: {
    flag: '--log',
    help: 'with --xaxis and --plot: use a logarithmic axis of base 2',
    commands: ['(analyze)'],
  },
  plot: {
    flag: '--plot <file>',
    help: 'also draw the results into this file (.svg or .png); of a load, the latencies that --find-rate measured',
    commands: ['analyze', 'http clients', '(http load)'],
    isView: true,
  },
  html: {
    flag: '--html <file>',
    help: 'also write one HTML page, with pictures of the runs',
    commands: ['analyze', 'history'],
  },
  title: {
    flag: '--title <text>',
    help: 'with --html: the heading',
    default: 'the names of the subjects',
    commands: ['(analyze)'],
  },
  profiles: {
    flag: '--profiles <dir>',
    help: 'the directory of the profiles that explain makes, for speedscope, the developer tools of Chrome, and --html',
    default: 'the file with the extension .profiles',
    commands: ['explain', '(analyze)'],
  },
  top: {
    flag: '--top <n>',
    help: 'the most functions to show for each configuration',
    default: '10',
    commands: ['explain'],
  },
  percentiles: {
    flag: '--percentiles',
    help: 'add the percentiles of the time per sample to the table',
    commands: ['http clients'],
    isView: true,
  },
  failOn: {
    flag: '--fail-on <threshold>',
    kind: kinds.texts,
    help: 'exit with 1 if a change is certainly beyond it, such as slower>=5%, or alloc>5% of a metric (repeatable)',
    commands: ['compare', 'analyze'],
    isView: true,
  },
  allowMissing: {
    flag: '--allow-missing',
    help: 'with --fail-on: accept configurations without enough results to judge',
    commands: ['(compare)', '(analyze)'],
    isView: true,
  },
} as const satisfies SettingGroup;

const session = {
  file: {
    flag: '--file <history>',
    help: 'the file of the history (JSON Lines; required)',
    commands: ['history'],
  },
  commit: {
    flag: '--commit <id>',
    help: 'the commit that was measured',
    default: 'GITHUB_SHA or CI_COMMIT_SHA',
    commands: ['history'],
  },
  machine: {
    flag: '--machine <name>',
    help: 'the machine, or the kind of machine if all of a kind are equal',
    default: 'the CPU and the number of CPUs',
    commands: ['history'],
  },
  out: {
    flag: '--out <file>',
    help: 'record each run in this file as it ends (JSON Lines)',
    commands: ['run', 'compare', 'bisect', 'http clients', 'merge', '(scatter)'],
  },
  resume: {
    flag: '--resume <file>',
    help: 'continue the interrupted session of this file',
    commands: [...measuring, '(http clients)'],
    isView: true,
  },
  trust: {
    flag: '--trust',
    help: 'run the programs that the file names, although you did not begin its session here',
    commands: [...rareRecording, '(explain)'],
    isView: true,
  },
  shard: {
    flag: '--shard <k/n>',
    help: 'run part k of n, to share the work between machines; "auto" or "auto/n" reads k from the environment variables of the CI system',
    commands: ['(run)', '(compare)'],
  },
  costs: {
    flag: '--costs <file>',
    help: 'with --shard: balance the parts by the durations in this results file',
    commands: ['(run)', '(compare)'],
    requires: 'shard',
  },
  bail: {
    flag: '--bail',
    help: 'stop at the first failure',
    commands: rareRecording,
    isView: true,
  },
  progress: {
    flag: '--no-progress',
    help: 'hide the progress line',
    commands: [...rareRecording, '(explain)', '(check)'],
    isView: true,
  },
} as const satisfies SettingGroup;

const server = {
  serve: {
    flag: '--serve',
    help: 'start a server on a free port, and stop it at the end',
    commands: ['http clients'],
  },
  port: {
    flag: '--port <port>',
    help: 'port of the server (PORT)',
    default: '3030',
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
    help: 'Unix socket of the server instead of a port (SOCKET)',
    commands: ['http server', '(http clients)'],
  },
  protocol: {
    flag: '--protocol <protocol>',
    help: 'http, https, http2 or h2c (PROTOCOL)',
    default: 'http',
    commands: ['http clients', 'http server'],
  },
  delayMs: {
    flag: '--delay <time>',
    kind: kinds.durationOrNone,
    help: 'delay of each answer (TIMEOUT, in ms)',
    default: '1ms',
    commands: ['http server', '(http clients)'],
  },
  workers: {
    flag: '--workers <n>',
    kind: kinds.text,
    help: 'number of processes of the server (WORKERS)',
    default: 'one per CPU',
    commands: ['http server', '(http clients)'],
  },
  connections: {
    flag: '--connections <n>',
    help: 'number of open connections',
    default: { 'http load': '100', 'http clients': '50' },
    commands: loading,
  },
  method: {
    flag: '--method <method>',
    help: 'HTTP method',
    default: { 'http load': 'GET, or POST with a body', 'http clients': 'GET; POST sends 128 KiB' },
    commands: loading,
  },
  pipelining: {
    flag: '--pipelining <n>',
    help: 'pipelined requests per connection; of the clients, undici and fetch do it (PIPELINING)',
    default: { 'http load': '1', 'http clients': '10' },
    commands: ['(http load)', '(http clients)'],
  },
  parallel: {
    flag: '--parallel <n>',
    help: 'requests per sample, sent at once (PARALLEL)',
    default: '100',
    commands: ['http clients'],
  },
  body: {
    flag: '--body <text>',
    help: 'body of the requests; @FILE reads it from a file',
    commands: ['http load'],
  },
  mix: {
    flag: '--mix <file>',
    help: 'JSON file with a list of requests: path, method, headers, body and weight of each',
    commands: ['http load'],
  },
  expectStatus: {
    flag: '--expect-status <n>',
    help: 'status of a right answer; others are failures',
    default: 'any 2xx',
    commands: ['http load'],
  },
  expectBody: {
    flag: '--expect-body <text>',
    help: 'body of a right answer; @FILE reads it from a file',
    default: 'any',
    commands: ['(http load)'],
  },
  requests: {
    flag: '--requests <n>',
    help: 'number of requests, after which the load ends; --duration is then its time limit',
    commands: ['http load'],
  },
  maxFailures: {
    flag: '--max-failures <n>',
    kind: kinds.countOrNone,
    help: 'number of requests that are allowed to fail; with more there is no rate',
    default: '0',
    commands: ['(http load)'],
  },
  answerMs: {
    flag: '--timeout <time>',
    help: 'time limit per answer',
    default: 'that of the load tool',
    commands: ['(http load)'],
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
    default: 'the best that is installed and supports the options',
    commands: ['http load'],
  },
  config: {
    flag: '--config <file>',
    help: 'file with your own clients',
    default: 'the nearest bench-cli.config.ts',
    commands: ['(http clients)'],
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
const settings = { ...benchmarks, ...subjects, ...runs, ...results, ...session, ...server };

export type SettingName = keyof typeof settings;

/** The kinds of values by their words in options. Other words are texts, and an option without a word is a flag. */
const wordKinds = {
  n: kinds.count,
  'n|auto': kinds.countOrAuto,
  percent: kinds.percentage,
  time: kinds.duration,
  list: kinds.names(),
};

const kindsByWord: Readonly<Record<string, kinds.Kind<unknown>>> = wordKinds;

/** The kind of a setting's values, or one for each command. */
type KindOf<Entry> = Entry extends { readonly kind: infer Kind }
  ? Kind
  : Entry extends { readonly flag: `${string} <${infer Word}>` }
    ? Word extends keyof typeof wordKinds
      ? (typeof wordKinds)[Word]
      : typeof kinds.text
    : typeof kinds.flag;

export type SettingValue<Name extends SettingName, Command extends CommandName = CommandName> = ValueOf<
  KindOf<(typeof settings)[Name]>,
  Command
>;

type ValueOf<Kind, Command> =
  Kind extends kinds.Kind<infer Value> ? Value : ValueOf<Kind[keyof Kind & Command], Command>;

type CommandOf<Use> = Use extends `(${infer Command})` ? Command : Use;

/** The settings of a command that the user has given. */
export type CommandSettings<Command extends CommandName> = {
  readonly [Name in SettingName as Command extends CommandOf<(typeof settings)[Name]['commands'][number]>
    ? Name
    : never]?: SettingValue<Name, Command> | undefined;
};

/** The settings that the file of a session has as they were given. */
export type RecordedSettings = {
  readonly [Name in SettingName as (typeof settings)[Name] extends { readonly isRecorded: true }
    ? Name
    : never]?: SettingValue<Name> | undefined;
};

/** All settings, for code that does not know which. */
export const allSettings: Readonly<Record<string, Setting>> = settings;

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

/** @throws UsageError for a setting that the command does not take, or that requires another one */
export function checkApplicable(command: CommandName, given: Readonly<Record<string, unknown>>): void {
  for (const [name, setting] of Object.entries(allSettings)) {
    if (given[name] === undefined) continue;
    const option = optionOf(setting);
    const required = setting.requires === undefined ? undefined : allSettings[setting.requires];
    const message = !takes(setting, command)
      ? `${option} does not apply to ${command}: leave it out`
      : required !== undefined && given[setting.requires ?? ''] === undefined
        ? `${option} requires ${optionOf(required)}: add it, or leave ${option} out`
        : undefined;
    if (message !== undefined) throw new UsageError('ERR_BENCH_OPTION_CONFLICT', message);
  }
}

export function kindOf({ kind, flag }: Setting, command: CommandName): kinds.Kind<unknown> {
  const [, word] = /<(.*)>$/.exec(flag) ?? [];
  if (kind === undefined) return word === undefined ? kinds.flag : (kindsByWord[word] ?? kinds.text);
  const own = 'read' in kind ? kind : kind[command];
  if (own === undefined) throw new RangeError(`${command} does not have the setting`);
  return own;
}

/** The value without the option, for a command. */
export function defaultOf({ default: value }: Setting, command: CommandName): string | undefined {
  return typeof value === 'object' ? value[command] : value;
}
