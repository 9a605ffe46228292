import { Benchmark, type Result, rehearse } from './benchmark.ts';
import {
  deliversAtOnce,
  endWithParent,
  holdUntilReleased,
  ownPhase,
  parentListens,
  runnerListens,
  send,
} from './channel.ts';
import { BenchmarkError, describe, refuseOtherOptions, reportUncaught } from './error.ts';
import { type Expansion, type ExpansionOptions, expand, expandGroups, readArguments } from './expansion.ts';
import { endInGrace, leaveAtOnce } from './leaving.ts';
import { formatResult, secondsOf } from './output.ts';
import type {
  AnyConfiguration,
  ConfigurationOf,
  GroupedConfiguration,
  GroupedParameters,
  Parameters,
} from './parameters.ts';
import { probe } from './process-probe.ts';
import type { StandaloneScript } from './standalone.ts';

/** The function that executes one configuration. A returned promise is awaited. */
export type Main<C> = (configuration: C, bench: Benchmark) => unknown;

/** Converts a union of objects to one object with the keys of all. */
type AllKeys<C> = {
  readonly [K in C extends unknown ? keyof C : never]: C extends Record<K, infer V> ? V : never;
};

/** Options of `createBenchmark`. `C` is the configuration that `main` gets. */
export interface BenchmarkOptions<C> {
  /** Flags for the runtime of every run, as in `['--expose-gc']`. Default: none. */
  readonly flags?: readonly string[];
  /** Keeps the combinations for which it returns true. Default: all. */
  readonly combinationFilter?: (configuration: C) => boolean;
  /** Values for test mode (`--test`). Default: the first value of each parameter, and numbers at most 1. */
  readonly test?: { readonly [K in keyof AllKeys<C>]?: AllKeys<C>[K] | readonly AllKeys<C>[K][] };
  /**
   * Runs once before the first configuration, in a process that lives until the last one has ended: it can
   * start a server. Configurations get the environment variables that it sets, such as `process.env.PORT`.
   */
  readonly setup?: (configurations: readonly C[]) => unknown;
  /** Runs once after the last configuration, even if some failed, in the process of `setup`. */
  readonly teardown?: (configurations: readonly C[]) => unknown;
}

/** The arguments of `createBenchmark`, without the types of its overloads. */
interface Definition {
  readonly main: Main<never>;
  readonly parameters: Parameters | GroupedParameters;
  readonly options: BenchmarkOptions<never> & ExpansionOptions & { readonly byGroups?: boolean };
}

/**
 * Makes this script a benchmark. Every combination of parameters is one configuration, and `main` executes
 * every configuration in a separate process.
 *
 * The script is a program: `node file.ts` runs all configurations, `node file.ts len=1024` those with one
 * value, and `node file.ts --test` the shortest one. Code outside `main` runs in every process, so it
 * should contain only declarations.
 *
 * @param main executes one configuration: `bench.start()` and `bench.end(operations)` surround the operations
 * @param parameters each a list of strings, numbers or booleans, or one value; with `byGroups`, sets of them
 * @throws nothing: an error is reported and ends the process
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
  main: Main<ConfigurationOf<P>>,
  parameters: P,
  options?: BenchmarkOptions<ConfigurationOf<P>> & { readonly byGroups?: false },
): Benchmark;
export function createBenchmark(
  main: Definition['main'],
  parameters: Definition['parameters'],
  options: Definition['options'] = {},
): Benchmark {
  const definition = { main, parameters, options };
  let expansion: Expansion | undefined;
  const configuration = (): AnyConfiguration => expansion?.configurations[0] ?? {};
  const benchmarker = () =>
    String(configuration()['benchmarker'] ?? expansion?.extra['benchmarker'] ?? '') || undefined;
  const bench = new Benchmark((result) => report(configuration(), result), benchmarker);
  try {
    if (created) {
      const problem =
        'createBenchmark was called twice; a file contains one benchmark: move the other to its own file';
      throw new BenchmarkError('ERR_BENCH_CALL_ORDER', problem);
    }
    created = true;
    if (typeof main !== 'function' || !isGroup(parameters)) {
      const problem =
        'createBenchmark requires a function and an object of parameters: write createBenchmark((configuration, bench) => { ... }, { n: [1, 2] })';
      throw new BenchmarkError('ERR_BENCH_PARAMETER', problem);
    }
    refuseOtherOptions('createBenchmark', options, optionNames);
    const expanded = expansionOf(definition);
    expansion = expanded;
    // The body of the script runs first, as in Node core.
    process.nextTick(() => perform(definition, expanded, bench).catch(fail));
  } catch (error) {
    fail(error);
  }
  return bench;
}

const optionNames = ['flags', 'combinationFilter', 'test', 'setup', 'teardown', 'byGroups'];

/** Whether this process has a benchmark. */
let created = false;

function scriptOf({ options }: Definition, expansion: Expansion): StandaloneScript {
  const hook = (fn: Definition['options']['setup']) =>
    fn && (async () => Reflect.apply(fn, undefined, [expansion.configurations]));
  const given = process.env['NODE_BENCHMARK_FLAGS']?.split(/\s+/).filter((flag) => flag !== '') ?? [];
  return {
    ...expansion,
    name: scriptName(),
    flags: [...given, ...(options.flags ?? [])],
    setup: hook(options.setup),
    teardown: hook(options.teardown),
  };
}

function expansionOf({ parameters, options }: Definition) {
  const given = readArguments(process.argv.slice(2));
  const selected = process.env['NODE_RUN_BENCHMARK_GROUPS']?.split(',');
  return areGroups(parameters, options.byGroups === true)
    ? expandGroups(parameters, given, options, selected)
    : expand(parameters, given, options);
}

const isGroup = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws BenchmarkError unless all parameters are groups, or none is, as `byGroups` says */
function areGroups(parameters: Definition['parameters'], byGroups: boolean): parameters is GroupedParameters {
  const wrong = Object.entries(parameters).find(([, value]) => isGroup(value) !== byGroups);
  if (wrong === undefined) return byGroups;
  throw new BenchmarkError(
    'ERR_BENCH_PARAMETER',
    byGroups
      ? `with byGroups, "${wrong[0]}" must be a group of parameters, such as { n: [1, 2] }`
      : `parameter "${wrong[0]}" has a value of type object: for groups of parameters, set byGroups`,
  );
}

async function perform(definition: Definition, expansion: Expansion, bench: Benchmark): Promise<void> {
  const { main } = definition;
  const { configurations, extra } = expansion;
  // A run does not need the script.
  const script = () => scriptOf(definition, expansion);
  switch (ownPhase()) {
    case 'run': {
      const [configuration] = configurations;
      if (configuration === undefined) {
        const problem = 'no case has these arguments: check them and combinationFilter';
        throw new BenchmarkError('ERR_BENCH_NO_CONFIGURATION', problem);
      }
      watchOverRun();
      // A probe would take the rehearsal for the measured part.
      if (probe === undefined) rehearse();
      await Reflect.apply(main, undefined, [configuration, bench]);
      isSettled = true;
      if (isFinished && parentListens) endSoon();
      return;
    }
    case 'plan': {
      const { flags, setup, teardown } = script();
      send({
        type: 'plan',
        configurations,
        extra,
        flags,
        parameters: parameterNames(definition),
        values: listedValues(definition),
        setup: setup !== undefined,
        teardown: teardown !== undefined,
      });
      return endSoon();
    }
    case 'setup': {
      const { setup, teardown } = script();
      const before = { ...process.env };
      await setup?.();
      const changed = Object.entries(process.env).flatMap(([name, value = '']) =>
        value === before[name] ? [] : [[name, value]],
      );
      await holdUntilReleased(Object.fromEntries(changed));
      await teardown?.();
      // Handles that setup has opened end with the process.
      return process.exit();
    }
    case 'standalone': {
      const { runStandalone } = await import('./standalone.ts');
      return runStandalone(script());
    }
  }
}

function parameterNames({ parameters, options }: Definition): string[] {
  if (!options.byGroups) return Object.keys(parameters);
  return [...new Set([...Object.values(parameters).flatMap(Object.keys), 'group'])];
}

/** The values of all parameters that are not numbers, including the values of test mode. */
function listedValues({ parameters, options }: Definition): Record<string, string[]> {
  const sets = options.byGroups ? Object.values(parameters).map((group) => Object(group)) : [parameters];
  const values = new Map(options.byGroups ? [['group', Object.keys(parameters)]] : []);
  for (const [name, declared] of [...sets, options.test ?? {}].flatMap((set) => Object.entries(set))) {
    const texts = [declared].flat().filter((value) => typeof value !== 'number');
    if (texts.length > 0) values.set(name, [...(values.get(name) ?? []), ...texts.map(String)]);
  }
  return Object.fromEntries(values);
}

/** The group and the file name of the script: the last two segments of its path. */
function scriptName(): string {
  return (process.argv[1] ?? '').replaceAll('\\', '/').split('/').slice(-2).join('/');
}

// Files can throw before they create a benchmark.
if (runnerListens) reportUncaught((thrown) => send({ type: 'error', ...thrown }));

let isFinished = false;
/** Whether `main` has ended. */
let isSettled = false;

function report(configuration: AnyConfiguration, result: Result): void {
  const { elapsedNs, ...measured } = result;
  const { load } = measured;
  isFinished = true;
  const message = {
    type: 'report',
    name: scriptName(),
    conf: load === undefined ? configuration : { ...configuration, benchmarker: load.benchmarker },
    ...measured,
    time: secondsOf(elapsedNs),
    ...(probe && { metrics: probe.values() }),
  } as const;
  if (!parentListens) {
    process.stdout.write(`${formatResult(message)}\n`);
    return;
  }
  send(message, endSoon);
}

/** A benchmark whose `main` does not end after its result has five seconds, as in Node core. */
function endSoon(): void {
  const graceMs = isFinished && !isSettled ? 5000 : undefined;
  endInGrace((message, leave) => (runnerListens ? send(message, leave) : leave()), announceLeaving, graceMs);
}

const announceLeaving = deliversAtOnce ? () => send({ type: 'left' }) : undefined;

/** Ends a run with its parent, and reports a missing result. */
function watchOverRun(): void {
  endWithParent();
  process.on('uncaughtException', (error) => {
    // A benchmark can have its own handler.
    if (process.listenerCount('uncaughtException') === 1) fail(error);
  });
  process.on('exit', (code) => {
    if (code !== 0 || isFinished || runnerListens) return;
    process.exitCode = 1;
    console.error(
      'error: ended without a result: call bench.end(operations) or bench.report(rate, elapsedNs)',
    );
  });
  if (runnerListens) leaveAtOnce(announceLeaving);
}

function fail(thrown: unknown): void {
  const { message, place } = describe(thrown);
  process.exitCode = 1;
  if (runnerListens) {
    // Over IPC, Deno sends the message only after the call.
    send({ type: 'error', message, place }, () => process.exit(1));
    return;
  }
  console.error(place === undefined ? `error: ${message}` : `error: ${message}\n    at ${place}`);
  process.exit(1);
}
