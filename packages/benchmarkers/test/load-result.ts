import type { LoadResult } from '@bench-cli/core';

/** A result with a rate, and nothing else that is known. */
export function loadResult(rate: number): LoadResult {
  const unknown = { meanMs: null, stdevMs: null, p50Ms: null, p75Ms: null, p90Ms: null };
  return {
    ...{ benchmarker: 'fake', version: '1', protocol: 'http', command: ['fake'] },
    ...{ rate, requests: rate, durationSeconds: 1 },
    ...{ connectErrors: 0, readErrors: 0, writeErrors: 0, timeouts: 0, non2xx: 0, bytes: null },
    latency: { ...unknown, p99Ms: null, p999Ms: null, maxMs: null },
    status: { '1xx': null, '2xx': null, '3xx': null, '4xx': null, '5xx': null },
  };
}
