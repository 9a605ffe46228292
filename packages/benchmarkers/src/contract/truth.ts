import assert from 'node:assert/strict';
import type { LoadOptions, LoadResult } from '@bench-cli/core';
import type { Benchmarker } from '../benchmarker.ts';
import { shortageOf } from '../cpu-usage.ts';

/** A load whose figures are known before it. */
export const known = {
  connections: 4,
  /** From a request to its answer: so long that what a busy machine adds does not matter. */
  pauseMs: 100,
  /** Of an answer: so many that those of its headers do not matter. */
  bytes: 10_000,
} as const;

export interface Truth {
  /** What was asked for: one of the two. */
  readonly order: Pick<LoadOptions, 'requests' | 'durationSeconds'>;
  /** Answers of the server, also those to requests of the adapter. */
  readonly sent: number;
  /** How long the adapter ran, with its requests before and after the load. */
  readonly ranSeconds: number;
}

/** By how much figures may differ from the truth: requests are pending at the end of a load. */
const TOLERANCE = 0.15;
/** A load for which opening connections does not matter. */
const LONG_SECONDS = 3;
/** Timers may be early by a millisecond. */
const LEAST_MS = 0.98 * known.pauseMs;

/** Compares the figures of a tool with its order, the answers of the server, and the elapsed time. */
export function assertTrue({ name, closedLoop }: Benchmarker, result: LoadResult, truth: Truth): void {
  const { requests, durationSeconds, rate, latency } = result;
  const { order, sent, ranSeconds } = truth;
  const { stdevMs: _, meanMs, ...others } = latency;
  // Without a closed loop, the tool may have sent one request.
  const asked = closedLoop ? order : { requests: undefined, durationSeconds: 0 };
  const leastSeconds = asked.durationSeconds ?? (LEAST_MS * requests) / known.connections / 1000;
  const right = (requests - result.non2xx) / durationSeconds;
  const near = (value: number): [number, number] => [(1 - TOLERANCE) * value, (1 + TOLERANCE) * value];
  const check = (figure: string, value: number | null, least: number, most: number, advice: string) => {
    // What the tool does not report is null.
    const isTrue = value === null || (value >= least && value <= most);
    assert.ok(isTrue, `${figure} is ${value}, not ${least.toFixed(2)} to ${most.toFixed(2)}: ${advice}`);
  };
  assert.equal(result.benchmarker, name);
  assert.ok(result.command.length > 0, 'the command line is missing');
  check(
    'requests',
    requests,
    // The adapter sends at most as many as the tool after the load, and some more before and during it.
    asked.requests ?? Math.max(1, (sent - 20 - 5 * ranSeconds) / 2),
    asked.requests ?? sent,
    `the server sent ${sent} answers, also to the adapter; return the complete answers that the tool got`,
  );
  check(
    'durationSeconds',
    durationSeconds,
    Math.max(LEAST_MS / 1000, 0.99 * leastSeconds),
    ranSeconds,
    'that is from what was asked for to how long the adapter ran; return the seconds of the load',
  );
  check('rate', rate, 0.99 * right, 1.01 * right, 'return (requests - non2xx) / durationSeconds');
  const ofLatency = `the server answers after ${known.pauseMs} ms; return milliseconds from a request to the end of its answer`;
  for (const [figure, ms] of Object.entries({ meanMs, ...others }))
    check(`latency.${figure}`, ms, LEAST_MS, 1000 * ranSeconds, ofLatency);
  check(
    'bytes',
    result.bytes,
    ...near(known.bytes * requests),
    `each answer has ${known.bytes} bytes and headers; check bytes and requests, or leave bytes out`,
  );
  check(
    'rate * latency.meanMs / 1000',
    // A tool without a CPU sends late, and wrk adds what it could not send in time to its latencies.
    meanMs === null || shortageOf(result) !== undefined ? null : (rate * meanMs) / 1000,
    // Opening connections takes a part of a short load.
    leastSeconds >= LONG_SECONDS ? near(known.connections)[0] : 0,
    near(known.connections)[1],
    `by Little's law it is the number of pending requests, and the tool has ${known.connections} connections; check connections, requests, durationSeconds and latency.meanMs`,
  );
  const { p50Ms, p75Ms, p90Ms, p99Ms, p999Ms, maxMs } = others;
  const ascending = [p50Ms, p75Ms, p90Ms, p99Ms, p999Ms, maxMs].filter((value) => value !== null);
  const sorted = ascending.toSorted((a, b) => a - b);
  assert.deepEqual(ascending, sorted, 'the percentiles of the latency are not ascending');
}
