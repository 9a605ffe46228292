import type { LoadLatency, LoadOptions, LoadResult } from '@bench-cli/core';
import type { RatePoints, SearchContext } from './benchmarker.ts';
import { shortageOf } from './cpu-usage.ts';
import { LoadError, type LoadErrorCode } from './load-error.ts';
import { isLate, toMs } from './load-result.ts';

const figures: Readonly<Record<string, keyof LoadLatency>> = {
  ...{ mean: 'meanMs', p50: 'p50Ms', p75: 'p75Ms', p90: 'p90Ms', p99: 'p99Ms', 'p99.9': 'p999Ms' },
  max: 'maxMs',
};

/** A limit of a latency that a server must keep: `p99<50ms`. @throws LoadError if the text is not a limit */
export function readLimit(text: string) {
  const [, name = '', value, unit = ''] =
    /^\s*([\w.]+)\s*<\s*(\d+(?:\.\d+)?)\s*(us|ms|s)\s*$/.exec(text) ?? [];
  const figure = figures[name];
  const limitMs = toMs(value, unit);
  if (figure !== undefined && limitMs > 0) return { figure, limitMs };
  const problem = `invalid limit "${text}": write a latency (${Object.keys(figures).join(', ')}), < and a time, such as p99<50ms`;
  throw new LoadError('ERR_BENCH_LOAD_OPTION', problem);
}

/** A load at a rate. It has a reason if it did not keep the limit. */
export interface RateLoad extends Pick<RatePoints[number], 'reason' | 'shortage' | 'isUnknown'> {
  readonly result: LoadResult | undefined;
}

/** Loads at a rate whose tool may be too slow: other programs can take its CPU for a while. */
const MOST_UNKNOWN = 2;
/** The first rate; each further one is twice as high until one does not keep the limit. */
const FIRST_RATE = 100;
const HIGHEST_RATE = 1e6;
/** A server has become slower if it keeps the limit at the end only below this share of the found rate. */
const DECAY = 0.75;
/** The search ends when the lowest broken rate is at most this share above the highest kept one. */
const ERROR = 0.03;

/**
 * Finds the highest rate within a limit by a bisection. Noise can break a limit once, so a rate breaks
 * the limit if two of at most three loads do. The found rate has kept the limit twice, also at the end,
 * because a server can become slower under load, or fail.
 *
 * @param probe loads the server at a rate
 * @returns the load at the highest rate that kept the limit, and all loads in their order
 * @throws LoadError with all loads if the server does not keep the limit at any rate, or not any more
 */
export async function searchRate(
  probe: (rate: number) => Promise<RateLoad>,
  searching: SearchContext['searching'] = () => {},
): Promise<Required<Pick<LoadResult, 'points'>> & { readonly result: LoadResult }> {
  const points: RatePoints[number][] = [];
  let best: LoadResult | undefined;
  let reason = '';
  const load = async (rate: number) => {
    searching(rate, points);
    const { result, ...why } = await probe(rate);
    const isKept = why.reason === undefined;
    points.push({ rate, isKept, ...why, latency: result?.latency ?? null });
    reason = why.reason ?? reason;
    if (why.isUnknown) return 'unknown';
    return isKept ? result : undefined;
  };
  /** Whether most of three loads keep the limit. */
  const keeps = async (rate: number) => {
    const kept: LoadResult[] = [];
    let unknown = 0;
    for (let broken = 0; kept.length < 2 && broken < 2; ) {
      const result = await load(rate);
      if (result === 'unknown' && ++unknown > MOST_UNKNOWN) throw limitedByTool();
      if (result === undefined) broken++;
      else if (result !== 'unknown') kept.push(result);
    }
    if (kept.length === 2) best = kept[1];
    return kept.length === 2;
  };
  const failed = (what: string) =>
    new LoadError('ERR_BENCH_LOAD_PROMISE', `${what}: ${reason}\n${pointsText(points)}`, { points });
  const limitedByTool = () => {
    const kept = points.filter(({ isKept }) => isKept).map(({ rate }) => rate);
    const known =
      kept.length === 0 ? 'at no rate' : `up to ${Math.round(Math.max(...kept))} requests per second`;
    const problem = `the tool was too slow, not the server, which kept the limit ${known}: ${reason}\n${pointsText(points)}`;
    return new LoadError('ERR_BENCH_LOAD_SATURATED', problem, { points });
  };
  const degraded = () => {
    const at = points.findLastIndex(({ isKept }) => isKept);
    const rate = Math.round(points[at]?.rate ?? 0);
    return failed(
      `the server kept the limit at ${rate} requests per second in load ${at + 1}, but not any more in load ${points.length}`,
    );
  };
  // The first loads are far from the highest rate, so a single one that keeps the limit is enough.
  let high = FIRST_RATE;
  while (high < HIGHEST_RATE && (typeof (await load(high)) === 'object' || (await keeps(high)))) high *= 2;
  let low = high / 2;
  while (low >= 1 && !(await keeps(low))) {
    if (points.some(({ isKept, rate }) => isKept && rate >= 4 * low)) throw degraded();
    high = low;
    low /= 2;
  }
  while (high / low > 1 + ERROR) {
    const middle = Math.sqrt(low * high);
    if (await keeps(middle)) low = middle;
    else high = middle;
  }
  if (best === undefined) throw failed('the server breaks the limit even at 1 request per second');
  // Noise at the highest rate of a server is no decay.
  for (let share = 1; !points.at(-1)?.isKept && !(await keeps(share * low)); share *= 0.9)
    if (share < DECAY) throw degraded();
  return { result: best, points };
}

/** A table of the loads of a search, by rate, and what disturbed the last of them. */
export function pointsText(points: RatePoints): string {
  const rows = points
    .toSorted((a, b) => a.rate - b.rate)
    .map(({ rate, isKept, isUnknown, reason = '', latency }) => [
      ...[
        rate.toFixed(0),
        ...[latency?.p50Ms, latency?.p90Ms, latency?.p99Ms].map((ms) => ms?.toFixed(1) ?? '-'),
        isKept ? 'kept' : isUnknown ? 'unknown' : 'broken',
      ].map((cell) => cell.padStart(8)),
      reason,
    ]);
  const titles = ['rate', 'p50 ms', 'p90 ms', 'p99 ms', 'limit'].map((cell) => cell.padStart(8));
  const notes = points.flatMap(({ shortage }) => (shortage === undefined ? [] : [[shortage]])).slice(-1);
  return [titles, ...rows, ...notes].map((cells) => `  ${cells.join('  ')}`.trimEnd()).join('\n');
}

/**
 * Seconds of each load of a search, and the least duration as a multiple of the limit. Above the capacity of
 * a server, its queue grows until the end, so a load of 40 times the limit finds a rate that is 2.5 % too
 * high.
 */
const SEARCH = { seconds: 3, times: 40 };
/** The least answered share of an arrival rate: below it, latencies are not those of a load at this rate. */
export const LEAST_REACHED = 0.95;

/** Finds the highest rate within a limit. @throws LoadError as `readLimit` and `searchRate` */
export async function findHighestRate(
  text: string,
  options: LoadOptions,
  load: (options: LoadOptions) => Promise<LoadResult>,
  searching?: SearchContext['searching'],
): Promise<LoadResult> {
  const { figure, limitMs } = readLimit(text);
  const { durationSeconds = Math.max(SEARCH.seconds, (SEARCH.times * limitMs) / 1000) } = options;
  const { result, points } = await searchRate(async (arrivalRate) => {
    try {
      const result = await load({ ...options, durationSeconds, arrivalRate });
      const ms = result.latency[figure];
      const isReached = result.rate >= LEAST_REACHED * arrivalRate;
      if (isReached && ms !== null && ms < limitMs) return { result };
      const reason = isReached
        ? `${text.split('<', 1)[0]} is ${ms === null ? 'not known' : `${ms.toFixed(1)} ms`}`
        : `only ${Math.round(result.rate)} of ${Math.round(arrivalRate)} requests per second were answered`;
      // Latencies count from the planned times, so a tool that is late can only break the limit.
      const isUnknown = isLate(result) || (isReached && ms === null);
      return { result, reason, shortage: shortageOf(result), ...(isUnknown && { isUnknown }) };
    } catch (error) {
      // A server that is overloaded may refuse requests.
      if (!(error instanceof LoadError && overloads.has(error.code))) throw error;
      const [reason] = error.message.split('\n', 1);
      return { result: undefined, reason };
    }
  }, searching);
  return { ...result, points };
}

const overloads: ReadonlySet<LoadErrorCode> = new Set([
  'ERR_BENCH_LOAD_FAILURES',
  'ERR_BENCH_LOAD_EXIT',
  'ERR_BENCH_LOAD_TIMEOUT',
]);
