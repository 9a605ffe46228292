import { LoadError, type LoadErrorCode, loadServer } from '@bench-cli/benchmarkers';
import type { LoadResult, ServerLoad } from '@bench-cli/core';
import { rateText } from '@bench-cli/report';
import { UsageError } from '@bench-cli/results';
import type { CommandSettings } from '@bench-cli/results/settings';
import { interruptionSignal } from '../session/interruption.ts';
import { latencyText } from '../session/latency-text.ts';
import type { Terminal } from '../terminal.ts';

type LoadFlags = CommandSettings<'http load'>;

/** The errors of a load that the user's options cause. All others are failures of the load. */
const usageErrors: ReadonlySet<LoadErrorCode> = new Set([
  'ERR_BENCH_LOAD_OPTION',
  'ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER',
  'ERR_BENCH_LOAD_UNSUPPORTED',
  'ERR_BENCH_LOAD_UNAVAILABLE',
]);

/**
 * Loads a server and prints the result.
 * @returns the exit code: 1 if there is no rate
 */
export async function showLoad(url: string, flags: LoadFlags, terminal: Terminal): Promise<number> {
  const load = loadOf(url, flags);
  try {
    const result = await loadServer(load, { signal: interruptionSignal() });
    terminal.result(
      flags.format === 'json' ? `${JSON.stringify(result, undefined, 2)}\n` : resultText(url, load, result),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof LoadError) || usageErrors.has(error.code)) throw error;
    terminal.failure(`${error.message} [${error.code}]`);
    return 1;
  }
}

function loadOf(
  url: string,
  {
    arrivalRate,
    loadMs = 10_000,
    warmUpMs = 0,
    headers = [],
    connections = 100,
    format: _,
    ...flags
  }: LoadFlags,
): ServerLoad {
  const parsed = URL.parse(url);
  const scheme = parsed?.protocol.slice(0, -1);
  if (parsed === null || (scheme !== 'http' && scheme !== 'https')) {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `${url} is not a URL of a server: write it like http://127.0.0.1:3030/`,
    );
  }
  return {
    ...flags,
    scheme,
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port) || (scheme === 'http' ? 80 : 443),
    path: `${parsed.pathname}${parsed.search}`,
    connections,
    headers: Object.fromEntries(headers.map(readHeader)),
    durationSeconds: loadMs / 1000,
    warmUpSeconds: warmUpMs / 1000,
    arrivalRate,
  };
}

function readHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError('ERR_BENCH_OPTION', `--header ${text} is invalid: write it as "name: value"`);
}

function resultText(url: string, { arrivalRate }: ServerLoad, result: LoadResult): string {
  const { benchmarker, version, rate, requests, durationSeconds, latency } = result;
  const planned = arrivalRate === undefined ? '' : ` of ${arrivalRate} planned`;
  const percentiles =
    latencyText(latency) || `mean ${latency.meanMs ?? '?'} ms, max ${latency.maxMs ?? '?'} ms`;
  return [
    url,
    `  rate      ${rateText(rate)} answers per second${planned}`,
    `  latency   ${percentiles}`,
    `  requests  ${requests} in ${durationSeconds.toFixed(1)} s, by ${benchmarker} ${version}`,
    '',
  ].join('\n');
}
