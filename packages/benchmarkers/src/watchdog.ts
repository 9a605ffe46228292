import { setTimeout as wait } from 'node:timers/promises';
import type { LoadResult } from '@bench-cli/core';
import type { LoadRequest } from './load-request.ts';
import { requesterOf } from './requester.ts';

/** Time between the requests during a load: they must not be part of it. */
const pauseMs = 100;
/** Requests after a load at most, and how long they are sent: enough to meet a stall in 500 answers. */
const mostRequests = 1000;
const burstMs = 1000;
const mostParallel = 50;
/** An answer has stalled if it is later than this, and than several times the latest answer to the load tool. */
const stallMs = 2_000;
const timesLatest = 3;
/** The limit if the tool does not report latencies. */
const unknownLimitMs = 30_000;

/**
 * Finds answers that stall. At its end, a load tool drops the requests that are pending, however long they have waited, so a
 * server that stalls until then would be unseen. A watchdog sends one request at a time during the load, and many after it.
 */
export function watchdogOf(request: LoadRequest) {
  const requester = requesterOf(request);
  const clock = processClock();
  /** When the unanswered requests were sent. */
  const pending = new Set<number>();
  const loaded = new AbortController();
  let longestMs = 0;

  const longest = () => {
    const [oldest = Number.POSITIVE_INFINITY] = pending;
    return Math.max(longestMs, clock.nowMs() - oldest);
  };
  const ask = async () => {
    const sentAtMs = clock.nowMs();
    pending.add(sentAtMs);
    await requester.ask().catch(() => {});
    pending.delete(sentAtMs);
    longestMs = Math.max(longestMs, clock.nowMs() - sentAtMs);
  };
  const watch = async () => {
    const { signal } = loaded;
    while (await wait(pauseMs, true, { signal }).catch(() => false)) await ask();
  };
  /** Resolves when all requests have been answered, those from before too. */
  const burst = async (requests: number) => {
    const endMs = performance.now() + burstMs;
    let left = requests;
    const parallel = Math.min(request.connections, mostParallel, requests);
    const askOn = async () => {
      while (left-- > 0 && performance.now() < endMs) await ask();
    };
    await Promise.all(Array.from({ length: parallel }, askOn));
    while (pending.size > 0) await wait(1);
  };

  void watch();
  return {
    /** What is wrong with the load of a result; undefined if no answer stalls. */
    async problem({ requests, latency }: LoadResult, signal: AbortSignal | undefined) {
      loaded.abort();
      const slowMs = latency.maxMs === null ? unknownLimitMs : Math.max(stallMs, timesLatest * latency.maxMs);
      const limitMs = Math.min(slowMs, request.timeoutSeconds * 1000);
      const stalled = Promise.withResolvers<void>();
      const timer = setInterval(() => longest() > limitMs && stalled.resolve(), pauseMs);
      signal?.addEventListener('abort', () => stalled.resolve(), { once: true });
      await Promise.race([burst(Math.min(requests, mostRequests)), stalled.promise]);
      clearInterval(timer);
      signal?.throwIfAborted();
      return longest() <= limitMs
        ? undefined
        : `a request beside the load waited ${(longest() / 1000).toFixed(1)} s for its answer, so there is no rate: the server stalls, and the figures of the tool do not contain its pending requests`;
    },

    [Symbol.dispose]() {
      loaded.abort();
      clock[Symbol.dispose]();
      requester[Symbol.dispose]();
    },
  };
}

/**
 * A clock that stands still while the machine does not let this process run, or other work keeps it busy: it then reads answers late
 * that have come in time.
 */
function processClock() {
  let ranMs = 0;
  let readAtMs = performance.now();
  const nowMs = () => ranMs + Math.min(performance.now() - readAtMs, pauseMs);
  const timer = setInterval(() => {
    ranMs = nowMs();
    readAtMs = performance.now();
  }, pauseMs).unref();
  return { nowMs, [Symbol.dispose]: () => clearInterval(timer) };
}
