import type { LoadOptions, LoadResult, Protocol, ServerLoad } from '@bench-cli/core';
import { autocannon } from './autocannon.ts';
import type { Benchmarker, RunContext } from './benchmarker.ts';
import { h2load } from './h2load.ts';
import { LoadError } from './load-error.ts';
import { unsupportedOptions } from './load-request.ts';
import { oha } from './oha.ts';
import { openLoop, testDoubles } from './open-loop.ts';
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
 * Chooses a benchmarker. Without a name: for HTTP and HTTPS wrk, or autocannon where wrk is not installed; for HTTP/2 h2load.
 * @throws LoadError that lists the known benchmarkers, those that support the protocol, or why none is available
 */
export async function chooseBenchmarker({
  protocol,
  name,
  registered = builtInBenchmarkers,
}: Choice): Promise<Benchmarker> {
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
  throw reasons.length === 0
    ? new LoadError(
        'ERR_BENCH_LOAD_UNSUPPORTED',
        `no benchmarker supports ${wanted}; known: ${listOf(registered)}`,
      )
    : new LoadError(
        'ERR_BENCH_LOAD_UNAVAILABLE',
        `no benchmarker for ${wanted} is available:\n  ${reasons.join('\n  ')}`,
      );
}

/**
 * Loads a server with the best available benchmarker.
 * @throws LoadError if there is no rate that can be trusted
 */
export async function loadServer(
  { benchmarker: name, findRate, ...options }: ServerLoad,
  { signal, registered = builtInBenchmarkers }: RunContext & Pick<Choice, 'registered'> = {},
): Promise<LoadResult> {
  if (findRate !== undefined) {
    const { findHighestRate } = await import('./rate-search.ts');
    const benchmarker = name ?? 'open-loop';
    return findHighestRate(findRate, options, (load) =>
      loadServer({ ...load, benchmarker }, { signal, registered }),
    );
  }
  const protocol = options.protocol ?? (name === undefined ? options.scheme : undefined);
  const suitable = registered.filter(
    ({ supports, byNameOnly }) => !byNameOnly && unsupportedOptions(supports, options).length === 0,
  );
  const isChosen = name === undefined && suitable.length > 0;
  // A tool that is named is checked before it is looked for: installing it would not help.
  if (name !== undefined) checkSupported(byName(name, protocol, registered), options, registered);
  const benchmarker = await chooseBenchmarker({
    protocol,
    name,
    registered: isChosen ? suitable : registered,
  });
  if (name === undefined) checkSupported(benchmarker, options, registered);
  return benchmarker.run(protocol === undefined ? options : { ...options, protocol }, { signal });
}

function byName(name: string, protocol: Protocol | undefined, registered: readonly Benchmarker[]) {
  const benchmarker = registered.findLast((candidate) => candidate.name === name);
  if (benchmarker === undefined) {
    throw new LoadError(
      'ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER',
      `unknown benchmarker "${name}"; known: ${listOf(registered)}`,
    );
  }
  if (protocol !== undefined && !benchmarker.protocols.includes(protocol)) {
    const others = registered.filter(({ protocols }) => protocols.includes(protocol));
    throw new LoadError(
      'ERR_BENCH_LOAD_UNSUPPORTED',
      `${name} does not support ${protocol}; benchmarkers that do: ${listOf(others) || 'none'}`,
      { benchmarker: name },
    );
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
