import { autocannon } from './autocannon.ts';
import type { Benchmarker } from './benchmarker.ts';
import { h2load } from './h2load.ts';
import { oha } from './oha.ts';
import { openLoop, testDoubles } from './open-loop.ts';
import { wrk } from './wrk.ts';

/** The benchmarkers of this package, in order of preference. */
export const builtInBenchmarkers: readonly Benchmarker[] = [
  ...[wrk, autocannon, h2load, oha, openLoop],
  ...testDoubles,
];
