import { setTimeout as wait } from 'node:timers/promises';
import type { LoadResult } from '@bench-cli/core';
import type { LoadRequest } from './load-request.ts';
import { Requester } from './requester.ts';

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
export class Watchdog implements Disposable {
  readonly #request: LoadRequest;
  readonly #requester: Requester;
  /** When the unanswered requests were sent. */
  readonly #pending = new Set<number>();
  readonly #loaded = new AbortController();
  #longestMs = 0;

  constructor(request: LoadRequest) {
    this.#request = request;
    this.#requester = new Requester(request);
    void this.#watch();
  }

  /** What is wrong with the load of a result; undefined if no answer stalls. */
  async problem({ requests, latency }: LoadResult, signal: AbortSignal | undefined) {
    this.#loaded.abort();
    const { timeoutSeconds = Number.POSITIVE_INFINITY } = this.#request;
    const slowMs = latency.maxMs === null ? unknownLimitMs : Math.max(stallMs, timesLatest * latency.maxMs);
    const limitMs = Math.min(slowMs, timeoutSeconds * 1000);
    const stalled = Promise.withResolvers<void>();
    const timer = setInterval(() => this.#longest() > limitMs && stalled.resolve(), pauseMs);
    signal?.addEventListener('abort', () => stalled.resolve(), { once: true });
    await Promise.race([this.#burst(Math.min(requests, mostRequests)), stalled.promise]);
    clearInterval(timer);
    signal?.throwIfAborted();
    return this.#longest() <= limitMs
      ? undefined
      : `a request beside the load waited ${(this.#longest() / 1000).toFixed(1)} s for its answer, so there is no rate: the server stalls, and the figures of the tool do not contain its pending requests`;
  }

  [Symbol.dispose](): void {
    this.#loaded.abort();
    this.#requester[Symbol.dispose]();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#loaded;
    while (await wait(pauseMs, true, { signal }).catch(() => false)) await this.#ask();
  }

  /** Resolves when all requests have been answered, those from before too. */
  async #burst(requests: number): Promise<void> {
    const endMs = performance.now() + burstMs;
    let left = requests;
    const parallel = Math.min(this.#request.connections, mostParallel, requests);
    const ask = async () => {
      while (left-- > 0 && performance.now() < endMs) await this.#ask();
    };
    await Promise.all(Array.from({ length: parallel }, ask));
    while (this.#pending.size > 0) await wait(1);
  }

  async #ask(): Promise<void> {
    const sentAtMs = performance.now();
    this.#pending.add(sentAtMs);
    await this.#requester.ask().catch(() => {});
    this.#pending.delete(sentAtMs);
    this.#longestMs = Math.max(this.#longestMs, performance.now() - sentAtMs);
  }

  #longest(): number {
    const [oldest = Number.POSITIVE_INFINITY] = this.#pending;
    return Math.max(this.#longestMs, performance.now() - oldest);
  }
}
