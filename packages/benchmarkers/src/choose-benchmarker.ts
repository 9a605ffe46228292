import type { LoadOptions, LoadResult, Protocol, ServerLoad } from '@bench-cli/core';
import type { Benchmarker, RunContext } from './benchmarker.ts';
import { builtInBenchmarkers } from './built-in.ts';
import { unsupportedOptions } from './define-benchmarker.ts';
import { LoadError } from './load-error.ts';
import type { ToolOption } from './load-options.ts';

export interface Choice {
  /** Default: what the named benchmarker speaks first, and `http` without a name. */
  readonly protocol?: Protocol | undefined;
  /** Default: the first that speaks the protocol and is available. */
  readonly name?: string | undefined;
  /** All there are, by preference. Default: `builtInBenchmarkers`. */
  readonly registered?: readonly Benchmarker[] | undefined;
}

/**
 * The benchmarker to load a server with: wrk where it is installed, else autocannon, for HTTP and HTTPS; h2load for HTTP/2.
 * @throws LoadError that lists the known ones, those that speak the protocol, or why none is available
 */
export async function chooseBenchmarker({
  protocol,
  name,
  registered = builtInBenchmarkers,
}: Choice): Promise<Benchmarker> {
  if (name !== undefined) return checkAvailable(byName(name, protocol, registered));
  const wanted = protocol ?? 'http';
  const reasons: string[] = [];
  for (const benchmarker of registered) {
    if (benchmarker.byNameOnly || !benchmarker.protocols.includes(wanted)) continue;
    const availability = await benchmarker.available();
    if (availability.available) return benchmarker;
    reasons.push(availability.message);
  }
  throw new LoadError(
    'unavailable',
    reasons.length === 0
      ? `no benchmarker speaks ${wanted}; there are ${listOf(registered)}`
      : `no benchmarker for ${wanted} is available:\n  ${reasons.join('\n  ')}`,
  );
}

export interface ServerLoadContext extends RunContext {
  /** Default: `builtInBenchmarkers`. */
  readonly registered?: readonly Benchmarker[] | undefined;
}

/**
 * Loads a server with the best tool there is, and gives the rate and all that the tool told.
 * @throws LoadError whenever there is no rate that can be trusted
 */
export async function loadServer(
  { benchmarker: name, ...options }: ServerLoad,
  { signal, registered = builtInBenchmarkers }: ServerLoadContext = {},
): Promise<LoadResult> {
  const protocol = options.protocol ?? (name === undefined ? options.scheme : undefined);
  const benchmarker = await chooseBenchmarker({ protocol, name, registered });
  checkHonoured(benchmarker, options, registered);
  return benchmarker.run(protocol === undefined ? options : { ...options, protocol }, { signal });
}

function byName(
  name: string,
  protocol: Protocol | undefined,
  registered: readonly Benchmarker[],
): Benchmarker {
  const benchmarker = registered.findLast((candidate) => candidate.name === name);
  if (benchmarker === undefined) {
    throw new LoadError('choice', `there is no benchmarker ${name}; there are ${listOf(registered)}`);
  }
  if (protocol !== undefined && !benchmarker.protocols.includes(protocol)) {
    const speakers = registered.filter(({ protocols }) => protocols.includes(protocol));
    throw new LoadError(
      'choice',
      `${name} does not speak ${protocol}; those that do: ${listOf(speakers) || 'none'}`,
      {
        benchmarker: name,
      },
    );
  }
  return benchmarker;
}

async function checkAvailable(benchmarker: Benchmarker): Promise<Benchmarker> {
  const availability = await benchmarker.available();
  if (availability.available) return benchmarker;
  throw new LoadError('unavailable', availability.message, { benchmarker: benchmarker.name });
}

function checkHonoured(
  { name, supports }: Benchmarker,
  options: LoadOptions,
  registered: readonly Benchmarker[],
): void {
  const problems = unsupportedOptions(supports, options).map(
    (option) => `${option} (${whoHonours(option, registered)})`,
  );
  if (problems.length === 0) return;
  throw new LoadError('options', `${name} cannot honour ${problems.join(', ')}`, { benchmarker: name });
}

function whoHonours(option: ToolOption, registered: readonly Benchmarker[]): string {
  const able = registered.filter(({ supports }) => supports.includes(option));
  return able.length === 0 ? 'no benchmarker can' : `${listOf(able)} can`;
}

function listOf(benchmarkers: readonly Benchmarker[]): string {
  return benchmarkers.map(({ name }) => name).join(', ');
}
