import { setTimeout as wait } from 'node:timers/promises';
import type { LoadResult } from '@bench-cli/core';
import { type LoadRequest, pendingRequests } from './load-request.ts';
import { reasonOf, requesterOf } from './requester.ts';
import { isRight, type ServerAnswer, type TimedAnswer } from './server-answer.ts';

/**
 * The pause between two requests during a load is a multiple of the time of an answer and a share of the
 * load, within limits, so that these requests are no noticeable part of the load.
 */
const PAUSE = { answers: 9, share: 0.01, leastMs: 20, mostMs: 100 };
/** How long the checks after a load may take, unless a request stalls. */
const AFTER = { leastMs: 1000, share: 0.1 };
/** Requests after a load at most: enough to meet a stall in 500 answers. */
const mostRequests = 1000;
const mostParallel = 50;
/** How long to wait for surplus answers. */
const surplusMs = 100;
/** An answer has stalled if it is later than this, and than a multiple of the latest answer to the tool. */
const stallMs = 2_000;
const timesLatest = 3;
/** The limit if the tool does not report latencies. */
const unknownLimitMs = 30_000;

/** Figures of the requests beside a load, the first one included; of a mix, the means over its cycle. */
export interface Sightings {
  readonly statuses: ReadonlyMap<number, number>;
  /** The least and the most bytes of a right answer. */
  readonly bytes: readonly [least: number, most: number];
  readonly fastestMs: number;
  readonly hasSurplus: boolean;
}

/**
 * Watches a server while a tool loads it, with one request at a time during the load and many after it. At
 * its end, a load tool drops its pending requests, so it does not see a server that stalls until then. The
 * watchdog also finds answers that are only wrong under load.
 */
export function watchdogOf(request: LoadRequest, first: TimedAnswer) {
  const clock = processClock();
  /** The unanswered requests, the oldest first. Several can have been sent at once. */
  const pending = new Set<{ readonly sentAtMs: number }>();
  const loaded = new AbortController();
  const startMs = clock.nowMs();
  /** One for each of the simultaneous requests. */
  const requesters: ReturnType<typeof requesterOf>[] = [];
  const { mix: cycle = [request] } = request;
  const different = [...new Set(cycle)];
  const statuses = new Map<number, number>();
  const seen = new Map<
    (typeof cycle)[number] | undefined,
    { fastestMs: number; least: number; most: number }
  >();
  let requests = 1;
  let slowest = { ms: 0, atSeconds: 0 };
  let lastError: unknown;

  const see = ({ status, wireBytes: bytes, ms }: TimedAnswer, asked = cycle[0]) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const answers = seen.get(asked) ?? { fastestMs: ms, least: bytes, most: bytes };
    seen.set(asked, answers);
    answers.fastestMs = Math.min(ms, answers.fastestMs);
    if (!isRight(request, status)) return;
    answers.least = Math.min(bytes, answers.least);
    answers.most = Math.max(bytes, answers.most);
  };
  /** The mean over the cycle, with a value for requests that have no answer. */
  const meanOf = (figure: 'fastestMs' | 'least' | 'most', unknown: number) =>
    cycle.reduce((sum, each) => sum + (seen.get(each)?.[figure] ?? unknown), 0) / cycle.length;
  const longest = () => {
    const [oldest] = pending;
    return oldest === undefined ? slowest.ms : Math.max(slowest.ms, clock.nowMs() - oldest.sentAtMs);
  };
  /** Sends one request after the other, each of a mix in turn. */
  const asker = () => {
    const requester = requesterOf(request);
    requesters.push(requester);
    return async (): Promise<ServerAnswer | undefined> => {
      const sentAtMs = clock.nowMs();
      const atSeconds = (sentAtMs - startMs) / 1000;
      const unanswered = { sentAtMs };
      pending.add(unanswered);
      const asked = different[requests++ % different.length];
      const answer = await requester.ask(asked).catch((error: unknown) => {
        lastError = error;
        return undefined;
      });
      pending.delete(unanswered);
      const ms = clock.nowMs() - sentAtMs;
      if (ms > slowest.ms) slowest = { ms, atSeconds };
      if (answer !== undefined) see({ ...answer, ms }, asked);
      return answer;
    };
  };
  const watch = async () => {
    const { signal } = loaded;
    const ask = asker();
    const { amount } = request;
    const shareMs = amount.kind === 'time' ? PAUSE.share * 1000 * amount.seconds : 0;
    const pauseMs = () =>
      Math.min(PAUSE.mostMs, Math.max(PAUSE.leastMs, shareMs, PAUSE.answers * meanOf('fastestMs', 0)));
    while (await wait(pauseMs(), true, { signal }).catch(() => false)) await ask();
  };
  /** Resolves when all requests have been answered, those from before too. */
  const burst = async (most: number, endMs: number) => {
    let left = most;
    let answered = 0;
    const askOn = async () => {
      for (const ask = asker(); left-- > 0 && performance.now() < endMs; )
        if ((await ask()) !== undefined) answered++;
    };
    await Promise.all(Array.from({ length: Math.min(request.connections, mostParallel, most) }, askOn));
    while (pending.size > 0) await wait(1);
    if (request.protocol !== 'http2') await wait(surplusMs);
    return answered;
  };

  see(first);
  void watch();
  return {
    /** @returns the problem of the load, if there is one, and figures of the requests beside it */
    async end(result: LoadResult, countsStatus: boolean, signal: AbortSignal | undefined) {
      loaded.abort();
      const during = slowest;
      const { latency } = result;
      const slowMs = latency.maxMs === null ? unknownLimitMs : Math.max(stallMs, timesLatest * latency.maxMs);
      const limitMs = Math.min(slowMs, request.timeoutSeconds * 1000);
      const afterMs = Math.max(AFTER.leastMs, AFTER.share * 1000 * result.durationSeconds);
      const endMs = performance.now() + afterMs;
      const over = Promise.withResolvers<undefined>();
      const timer = setInterval(() => {
        // The slowest request of the load can have stalled, so a usual wait is that of half of the requests.
        const isUsual = performance.now() > endMs && longest() <= (latency.p50Ms ?? 0);
        if (isUsual || longest() > limitMs) over.resolve(undefined);
      }, PAUSE.leastMs);
      signal?.addEventListener('abort', () => over.resolve(undefined), { once: true });
      const most = Math.min(result.requests, mostRequests);
      const answered = await Promise.race([burst(most, endMs - afterMs / 2), over.promise]);
      clearInterval(timer);
      signal?.throwIfAborted();
      const longestMs = longest();
      const sightings = {
        statuses,
        bytes: [meanOf('least', 0), meanOf('most', Number.POSITIVE_INFINITY)],
        fastestMs: meanOf('fastestMs', 0),
        hasSurplus: requesters.some((each) => each.hasSurplus()),
      } as const;
      const problem =
        longestMs > limitMs
          ? `a request beside the load waited ${(longestMs / 1000).toFixed(1)} s for its answer, so there is no rate: the server stalls, and the figures of the tool do not contain its pending requests`
          : answered === 0
            ? `no request after the load was answered completely, so there is no rate: ${reasonOf(lastError)}`
            : unlikely(request, result, sightings, countsStatus);
      return { problem, beside: { requests, slowestMs: during.ms, slowestAtSeconds: during.atSeconds } };
    },

    [Symbol.dispose]() {
      loaded.abort();
      clock[Symbol.dispose]();
      for (const requester of requesters) requester[Symbol.dispose]();
    },
  };
}

/**
 * Half of the answers cannot come in less than so many milliseconds and this share of the fastest beside the
 * load: honest ones took 0.15 of it or more, surplus ones 0.02 or less. The share alone blames a load beside
 * which this process is slow, the time alone a fast machine.
 */
const LEAST_P50 = { ms: 0.02, share: 1 / 20 };
/** The fastest of many answers limits their number, if it takes longer than a busy machine adds to it. */
const CAPACITY = { leastMs: 4, answers: 20, times: 1.5 };
/** By how much bytes per answer of a load may differ from those beside it. */
const BYTES = 0.01;

/** A contradiction to the rate of a load: surplus answers, or wrong ones that the tool counts as right. */
export function unlikely(
  request: LoadRequest,
  { benchmarker, requests, durationSeconds, bytes, latency }: LoadResult,
  { statuses, fastestMs, hasSurplus, ...seen }: Sightings,
  countsStatus: boolean,
): string | undefined {
  const answers = statuses.values().reduce((sum, count) => sum + count, 0);
  const pending = pendingRequests(request);
  const possible = (CAPACITY.times * pending * durationSeconds * 1000) / fastestMs;
  const enough = CAPACITY.answers * Math.max(1, new Set(request.mix).size);
  const isTooMany = fastestMs >= CAPACITY.leastMs && answers >= enough && requests > possible;
  const p50Ms = latency.p50Ms ?? 0;
  const isTooFast = p50Ms > 0 && p50Ms < Math.min(LEAST_P50.ms, LEAST_P50.share * fastestMs);
  if (hasSurplus || isTooMany || isTooFast) {
    const why = hasSurplus
      ? 'requests beside the load got them'
      : isTooMany
        ? `${benchmarker} counted ${requests}, but the fastest of ${answers} beside the load took ${fastestMs.toFixed(1)} ms`
        : `half of the ${requests} that ${benchmarker} counted took at most ${Math.ceil(p50Ms * 1000)} µs, but the fastest of ${answers} beside the load ${(fastestMs * 1000).toFixed(0)} µs`;
    return `the server sends more answers than it gets requests, so there is no rate; fix the server (${why})`;
  }
  if (countsStatus) return undefined;
  const [status, count = 0] = [...statuses].find(([code]) => code < 200 || (code >= 300 && code < 400)) ?? [];
  const remedy = `add --expect-status ${request.expectStatus ?? 200} (expectStatus), with which ${benchmarker} checks each answer, or use autocannon`;
  if (status !== undefined)
    return `${count} of ${answers} answers beside the load had status ${status}, which ${benchmarker} counts as a success, so there is no rate: ${remedy}`;
  if (bytes === null) return undefined;
  const tolerance = BYTES + pending / requests;
  const [least, most] = seen.bytes;
  const each = bytes / requests;
  return each >= (1 - tolerance) * least && each <= (1 + tolerance) * most
    ? undefined
    : `the answers of the load have ${each.toFixed(0)} bytes on average, but ${answers} beside it ${least === most ? least : `${least} to ${most}`}, and ${benchmarker} counts redirects as successes, so there is no rate: ${remedy}`;
}

/**
 * A clock that stands still while the machine does not run this process, or other work keeps this process
 * busy: the process then reads late answers that have come in time.
 */
function processClock() {
  let ranMs = 0;
  let readAtMs = performance.now();
  const nowMs = () => ranMs + Math.min(performance.now() - readAtMs, PAUSE.mostMs);
  const timer = setInterval(() => {
    ranMs = nowMs();
    readAtMs = performance.now();
  }, PAUSE.mostMs).unref();
  return { nowMs, [Symbol.dispose]: () => clearInterval(timer) };
}
