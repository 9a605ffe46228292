import type { LoadOptions, LoadResult, Protocol, ServerLoad } from '@bench-cli/core';
import { autocannon } from './autocannon.ts';
import type { Benchmarker, SearchContext } from './benchmarker.ts';
import { h2load } from './h2load.ts';
import { LoadError } from './load-error.ts';
import { protocolName, unsupportedOptions } from './load-request.ts';
import { withoutLate } from './load-result.ts';
import { oha } from './oha.ts';
import { openLoop, testDoubles } from './open-loop.ts';
import { type Habit, habitOf } from './server-answer.ts';
import { spokenProtocol } from './server-protocol.ts';
import { wrk } from './wrk.ts';

/** The benchmarkers of this package, in order of preference. */
export const builtInBenchmarkers: readonly Benchmarker[] = [
  ...[wrk, autocannon, h2load, oha, openLoop],
  ...testDoubles,
];

export interface Choice {
  /** Default: the first protocol of the named benchmarker; without a name, `http`. */
  readonly protocol?: Protocol | undefined;
  /** Default: the first benchmarker that supports the protocol and is available. */
  readonly name?: string | undefined;
  /** The known benchmarkers, in order of preference. Default: `builtInBenchmarkers`. */
  readonly registered?: readonly Benchmarker[] | undefined;
}

/**
 * Chooses a benchmarker. Without a name: wrk for HTTP and HTTPS, or autocannon if wrk is not installed;
 * h2load for HTTP/2.
 * @throws LoadError that lists the known benchmarkers, those for the protocol, or why none is available
 */
export async function chooseBenchmarker(choice: Choice): Promise<Benchmarker> {
  const { protocol, name, registered = builtInBenchmarkers } = choice;
  if (name !== undefined) {
    const benchmarker = byName(name, protocol, registered);
    const availability = await benchmarker.available();
    if (availability.available) return benchmarker;
    throw new LoadError('ERR_BENCH_LOAD_UNAVAILABLE', availability.message, { benchmarker: name });
  }
  const wanted = protocol ?? 'http';
  const reasons: string[] = [];
  for (const benchmarker of registered) {
    if (benchmarker.byNameOnly || !benchmarker.protocols.includes(wanted)) continue;
    const availability = await benchmarker.available();
    if (availability.available) return benchmarker;
    reasons.push(availability.message);
  }
  if (reasons.length === 0) {
    const problem = `no benchmarker supports ${wanted}; known: ${listOf(registered)}`;
    throw new LoadError('ERR_BENCH_LOAD_UNSUPPORTED', problem);
  }
  const problem = `no benchmarker for ${wanted} is available:\n  ${reasons.join('\n  ')}`;
  throw new LoadError('ERR_BENCH_LOAD_UNAVAILABLE', problem);
}

export interface ServerLoadContext extends SearchContext, Pick<Choice, 'registered'> {
  /** Whether another tool may load the server. Default false, as sides of a comparison need the same tool. */
  readonly canChangeTool?: boolean;
}

/**
 * Loads a server with the best available benchmarker for the protocol that the server speaks.
 * @throws LoadError if there is no rate that can be trusted
 */
export async function loadServer(
  { findRate, benchmarker = findRate === undefined ? undefined : 'open-loop', ...options }: ServerLoad,
  { signal, searching, registered = builtInBenchmarkers, canChangeTool = false }: ServerLoadContext = {},
): Promise<LoadResult> {
  // A search loads at rates.
  const needed = findRate === undefined ? options : { ...options, arrivalRate: 1 };
  const { tool, protocol, first } = await toolFor(needed, benchmarker, registered, signal);
  const run = (load: LoadOptions) => tool.run({ ...load, protocol }, { signal, first });
  if (findRate !== undefined) {
    const { findHighestRate } = await import('./rate-search.ts');
    return findHighestRate(findRate, options, run, searching);
  }
  try {
    return withoutLate(await run(options));
  } catch (error) {
    if (!(error instanceof LoadError) || error.habit === undefined) throw error;
    const others = ableTo(suitableFor(registered, protocol, options), protocol, error.habit);
    if (canChangeTool && benchmarker === undefined) {
      const other = await chooseBenchmarker({ protocol, registered: others }).catch(() => undefined);
      if (other !== undefined) return other.run({ ...options, protocol }, { signal, first });
    }
    const why = `${error.message.split('\n', 1)[0]}; benchmarkers that can load it: ${listOf(others) || 'none'}`;
    throw new LoadError(error.code, why, error);
  }
}

function suitableFor(registered: readonly Benchmarker[], protocol: Protocol, options: LoadOptions) {
  return registered.filter(
    ({ protocols, supports, byNameOnly }) =>
      !byNameOnly && protocols.includes(protocol) && unsupportedOptions(supports, options).length === 0,
  );
}

function ableTo(benchmarkers: readonly Benchmarker[], protocol: Protocol, habit: Habit) {
  return benchmarkers.filter(({ cannotLoad }) => !cannotLoad?.[protocol]?.includes(habit));
}

async function toolFor(
  options: LoadOptions,
  name: string | undefined,
  registered: readonly Benchmarker[],
  signal: AbortSignal | undefined,
) {
  const { scheme = 'http' } = options;
  // A tool that is named is checked before it is looked for: installing it would not help.
  const named = name === undefined ? undefined : byName(name, options.protocol, registered);
  if (named !== undefined) checkSupported(named, options, registered);
  const { protocols = [scheme, 'http2'] as const } = named ?? {};
  const [preferred = protocols[0], ...others] = protocols.filter((it) => it === 'http2' || it === scheme);
  const candidates =
    options.protocol === undefined ? ([preferred, ...others] as const) : ([options.protocol] as const);
  const wanted = candidates.map((protocol) => protocolName({ protocol, scheme })).join(' or ');
  const { protocol, first } = await spokenProtocol(options, candidates, signal, (spoken, place) => {
    const tools = registered.filter((it) => it.protocols.includes(spoken.protocol) && !it.byNameOnly);
    const remedy =
      named === undefined || named.protocols.includes(spoken.protocol)
        ? `use protocol ${protocolName(spoken)} and a URL that begins with ${spoken.scheme}://`
        : `${name} does not support it; benchmarkers that do: ${listOf(tools) || 'none'}`;
    const problem = `the server on ${place} speaks ${protocolName(spoken)} instead of ${wanted}: ${remedy}`;
    return new LoadError('ERR_BENCH_LOAD_PROTOCOL', problem, { benchmarker: name });
  });
  const suitable = suitableFor(registered, protocol, options);
  const habit = habitOf(first);
  const able = habit === undefined ? suitable : ableTo(suitable, protocol, habit);
  const known = [able, suitable, registered].find(({ length }) => length > 0) ?? registered;
  const tool = await chooseBenchmarker({
    protocol,
    name,
    registered: named === undefined ? known : registered,
  });
  checkSupported(tool, options, registered);
  return { tool, protocol, first };
}

function byName(name: string, protocol: Protocol | undefined, registered: readonly Benchmarker[]) {
  const benchmarker = registered.findLast((candidate) => candidate.name === name);
  if (benchmarker === undefined) {
    const problem = `unknown benchmarker "${name}"; known: ${listOf(registered)}`;
    throw new LoadError('ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER', problem);
  }
  if (protocol !== undefined && !benchmarker.protocols.includes(protocol)) {
    const others = registered.filter(({ protocols }) => protocols.includes(protocol));
    const problem = `${name} does not support ${protocol}; benchmarkers that do: ${listOf(others) || 'none'}`;
    throw new LoadError('ERR_BENCH_LOAD_UNSUPPORTED', problem, { benchmarker: name });
  }
  return benchmarker;
}

function checkSupported(
  { name, supports }: Benchmarker,
  options: LoadOptions,
  registered: readonly Benchmarker[],
): void {
  const problems = unsupportedOptions(supports, options).map((option) => {
    const others = registered.filter((other) => !other.byNameOnly && other.supports.includes(option));
    return `${option} (benchmarkers that do: ${listOf(others) || 'none'})`;
  });
  if (problems.length === 0) return;
  throw new LoadError('ERR_BENCH_LOAD_UNSUPPORTED', `${name} does not support ${problems.join(', ')}`, {
    benchmarker: name,
  });
}

function listOf(benchmarkers: readonly Benchmarker[]): string {
  return benchmarkers.map(({ name }) => name).join(', ');
}
