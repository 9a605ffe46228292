import { autocannon } from './autocannon.ts';
import type { Benchmarker } from './benchmarker.ts';
import { h2load } from './h2load.ts';
import { testDoubleHttp } from './test-double-http.ts';
import { testDoubleHttp2 } from './test-double-http2.ts';
import { testDoubleHttps } from './test-double-https.ts';
import { wrk } from './wrk.ts';

/** What this package brings, by preference. */
export const builtInBenchmarkers: readonly Benchmarker[] = [
  wrk,
  autocannon,
  h2load,
  testDoubleHttp,
  testDoubleHttps,
  testDoubleHttp2,
];
