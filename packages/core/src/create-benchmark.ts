import { Benchmark, type Result } from './benchmark.ts';
import { parentListens, runnerListens, send } from './channel.ts';
import { BenchmarkError, describe } from './error.ts';
import { type Expansion, type ExpansionOptions, expand, expandGroups, readArguments } from './expansion.ts';
import { formatResult } from './output.ts';
import type {
  AnyConfiguration,
  Configuration,
  GroupedConfiguration,
  GroupedParameters,
  Parameters,
} from './parameters.ts';
import { phaseOf, secondsOf } from './protocol.ts';

/** The function that does the work of one configuration; if it gives a promise, its end is waited for. */
export type Main<C> = (configuration: C, bench: Benchmark) => unknown;

/** A union of objects becomes one object that has the keys of all of them. */
type AllKeys<C> = {
  readonly [K in C extends unknown ? keyof C : never]: C extends Record<K, infer V> ? V : never;
};

/** Options of `createBenchmark`. `C` is the configuration that `main` gets. */
export interface BenchmarkOptions<C> {
  /** Flags for the runtime of every run, as in `['--expose-gc']`. Default: none. */
  readonly flags?: readonly string[];
  /** Keeps the combinations for which it returns true. Default: all are kept. */
  readonly combinationFilter?: (configuration: C) => boolean;
  /** Values for test mode (`--test`), in place of the first of each parameter with counts cut to 1. */
  readonly test?: { readonly [K in keyof AllKeys<C>]?: AllKeys<C>[K] | readonly AllKeys<C>[K][] };
  /** Runs once, before the first configuration; not in its process, so it hands files on but no variables. */
  readonly setup?: (configurations: readonly C[]) => unknown;
  /** Runs once, after the last configuration, also when some failed. */
  readonly teardown?: (configurations: readonly C[]) => unknown;
}

/** What `createBenchmark` takes, without the types that its overloads give to callers. */
interface Definition {
  readonly main: (configuration: never, bench: Benchmark) => unknown;
  readonly parameters: Parameters | GroupedParameters;
  readonly options: ExpansionOptions & {
    readonly flags?: readonly string[];
    readonly setup?: (configurations: never) => unknown;
    readonly teardown?: (configurations: never) => unknown;
    readonly byGroups?: boolean;
  };
}

/**
 * Makes this script a benchmark. Every combination of parameters is one configuration, and every configuration is run
 * by `main` in a process of its own.
 *
 * The script is a program: `node file.ts` runs all configurations, `node file.ts len=1024` those of one value, and
 * `node file.ts --test` the shortest one. Code outside `main` runs in every process, so it had better only declare.
 *
 * @param main does the work of one configuration, and calls `bench.start()` and `bench.end(operations)` around it
 * @param parameters each a list of strings, numbers or booleans, or one value; with `byGroups` such a set for each group
 * @example
 * createBenchmark((conf, bench) => {
 *   const data = Buffer.alloc(conf.len);
 *   bench.start();
 *   for (let i = 0; i < conf.n; i++) data.toString(conf.encoding);
 *   bench.end(conf.n);
 * }, { encoding: ['utf8', 'latin1'], len: [64, 1024], n: 1e6 });
 */
export function createBenchmark<const G extends GroupedParameters>(
  main: Main<GroupedConfiguration<G>>,
  groups: G,
  options: BenchmarkOptions<GroupedConfiguration<G>> & { readonly byGroups: true },
): Benchmark;
export function createBenchmark<const P extends Parameters>(
  main: Main<Configuration<P>>,
  parameters: P,
  options?: BenchmarkOptions<Configuration<P>> & { readonly byGroups?: false },
): Benchmark;
export function createBenchmark(
  main: Definition['main'],
  parameters: Definition['parameters'],
  options: Definition['options'] = {},
): Benchmark {
  let expansion: Expansion | undefined;
  const configuration = (): AnyConfiguration => expansion?.configurations[0] ?? {};
  const benchmarker = () =>
    String(configuration()['benchmarker'] ?? expansion?.extra['benchmarker'] ?? '') || undefined;
  const bench = new Benchmark((result) => report(configuration(), result), benchmarker);
  try {
    if (created) throw new BenchmarkError('createBenchmark was called twice; a file holds one benchmark');
    created = true;
    const expanded = expansionOf({ main, parameters, options });
    expansion = expanded;
    // The script's own module body comes first, as in Node core.
    process.nextTick(() => {
      perform({ main, parameters, options }, expanded, bench).catch(fail);
    });
  } catch (error) {
    fail(error);
  }
  return bench;
}

/** Whether this process has its benchmark. */
let created = false;

function expansionOf({ parameters, options }: Definition): Expansion {
  const given = readArguments(process.argv.slice(2));
  const selected = process.env['NODE_RUN_BENCHMARK_GROUPS']?.split(',');
  if (options.byGroups) return expandGroups(grouped(parameters), given, options, selected);
  return expand(ungrouped(parameters), given, options);
}

function isGroup(value: Parameters[string] | Parameters): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function grouped(parameters: Definition['parameters']): GroupedParameters {
  const groups: Record<string, Parameters> = {};
  for (const [name, group] of Object.entries(parameters)) {
    if (!isGroup(group)) {
      throw new BenchmarkError(`with byGroups, "${name}" must be a group of parameters, as in { n: [1, 2] }`);
    }
    groups[name] = group;
  }
  return groups;
}

function ungrouped(parameters: Definition['parameters']): Parameters {
  const plain: Record<string, Parameters[string]> = {};
  for (const [name, values] of Object.entries(parameters)) {
    if (isGroup(values)) {
      throw new BenchmarkError(
        `parameter "${name}" has a value of type object; for groups of parameters set byGroups`,
      );
    }
    plain[name] = values;
  }
  return plain;
}

async function perform(definition: Definition, expansion: Expansion, bench: Benchmark): Promise<void> {
  const { main, options } = definition;
  const { configurations, extra } = expansion;
  switch (phaseOf(process.env)) {
    case 'run': {
      const [configuration] = configurations;
      if (configuration === undefined) throw new BenchmarkError('no configuration fits these arguments');
      watchOverRun();
      await Reflect.apply(main, undefined, [configuration, bench]);
      return;
    }
    case 'plan':
      send({
        type: 'plan',
        configurations,
        extra,
        flags: flagsOf(options),
        parameters: parameterNames(definition),
        setup: options.setup !== undefined,
        teardown: options.teardown !== undefined,
        // That of the bundle, which is the entry.
        entry: import.meta.url,
      });
      return;
    case 'setup':
      await Reflect.apply(options.setup ?? nothing, undefined, [configurations]);
      return;
    case 'teardown':
      await Reflect.apply(options.teardown ?? nothing, undefined, [configurations]);
      return;
    case 'standalone': {
      const { runStandalone } = await import('./standalone.ts');
      await runStandalone({
        name: scriptName(),
        configurations,
        extra,
        flags: flagsOf(options),
        setup: async () => Reflect.apply(options.setup ?? nothing, undefined, [configurations]),
        teardown: async () => Reflect.apply(options.teardown ?? nothing, undefined, [configurations]),
      });
    }
  }
}

function nothing(): void {}

function flagsOf(options: Definition['options']): string[] {
  const given = process.env['NODE_BENCHMARK_FLAGS']?.split(/\s+/).filter((flag) => flag !== '') ?? [];
  return [...given, ...(options.flags ?? [])];
}

function parameterNames({ parameters, options }: Definition): string[] {
  if (!options.byGroups) return Object.keys(parameters);
  return [...new Set([...Object.values(parameters).flatMap(Object.keys), 'group'])];
}

/** The last two segments of the script's path: its group and its file. */
function scriptName(): string {
  return (process.argv[1] ?? '').split(/[\\/]/).slice(-2).join('/');
}

let finished = false;

function report(configuration: AnyConfiguration, { rate, elapsedNs, latency, load }: Result): void {
  finished = true;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const message = {
    type: 'report',
    name: scriptName(),
    conf: load === undefined ? configuration : { ...configuration, benchmarker: load.benchmarker },
    rate,
    time: secondsOf(elapsedNs),
    usage: { userCpuUs: userCPUTime, systemCpuUs: systemCPUTime, maxRssKiB: maxRSS },
    ...(latency && { latency }),
    ...(load && { load }),
  } as const;
  if (!parentListens) {
    process.stdout.write(`${formatResult(message)}\n`);
    return;
  }
  // A benchmark that leaves something open is done all the same: as in Node core it gets five seconds to close.
  send(message, () => setTimeout(() => process.exit(0), 5000).unref());
}

/** A run must not outlive whoever started it, and must not end without a word. */
function watchOverRun(): void {
  if (process.channel) {
    process.once('disconnect', () => process.exit(1));
    process.channel.unref();
  }
  process.on('uncaughtException', (error) => {
    // A benchmark that handles them itself is left alone.
    if (process.listenerCount('uncaughtException') === 1) fail(error);
  });
  process.on('exit', (code) => {
    if (code !== 0 || finished || runnerListens) return;
    process.exitCode = 1;
    console.error('error: main finished without a result; call bench.end(operations) or bench.report(...)');
  });
  if (runnerListens) leaveAtOnce();
}

/**
 * Ends the process when nothing is left to do, without taking its heap apart first, which costs every run most of a
 * millisecond. Whoever else listens for the end comes before.
 */
function leaveAtOnce(): void {
  const leave = () => {
    if (process.listeners('exit').at(-1) === leave) process.exit();
  };
  process.once('beforeExit', () => process.on('exit', leave));
}

/** Tells whoever listens what went wrong, and ends the process. */
function fail(thrown: unknown): void {
  const { message, place } = describe(thrown);
  process.exitCode = 1;
  if (runnerListens) {
    send({ type: 'error', message, place });
    process.exit(1);
  }
  console.error(place === undefined ? `error: ${message}` : `error: ${message}\n    at ${place}`);
  process.exit(1);
}
