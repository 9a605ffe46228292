/**
 * Sends requests at planned times, whatever the answers, and prints a report. Latencies count from the
 * planned times, so they contain waiting for a connection. The program fails unless it gets an answer.
 */

import { Latencies } from './latencies.ts';
import type { ToolReport } from './load-result.ts';
import { reasonOf, requesterOf, type SentRequest, type SingleRequest } from './requester.ts';

export interface OpenLoad {
  readonly request: SingleRequest;
  /** The requests that are sent in turn. */
  readonly cycle: readonly SentRequest[];
  readonly connections: number;
  /** null for as many as there are in the duration. */
  readonly requests: number | null;
  readonly durationSeconds: number | null;
  /** Requests per second; null for as many as the connections can send. */
  readonly arrivalRate: number | null;
}

/** How long the last planned requests may take, milliseconds. */
const DRAIN_MS = 1000;
const FOREVER_MS = 2 ** 31 - 1;

const { request, cycle, connections, arrivalRate, ...amount }: OpenLoad = JSON.parse(process.argv[2] ?? '');
const { requests, durationSeconds } = amount;
const most = requests ?? Math.ceil((durationSeconds ?? 0) * (arrivalRate ?? Number.POSITIVE_INFINITY));
const limitMs = request.timeoutSeconds * 1000;
/** The requesters without a pending request. Over HTTP/2, each has a connection of its own. */
const free: ReturnType<typeof requesterOf>[] = [];
/** The times that the latencies of unanswered requests count from. */
const pending = new Map<number, number>();
const busy = new Set<(typeof free)[number]>();
const latencies = new Latencies();
/** How late requests left although a connection was free. */
const lateness = new Latencies();
let freeSinceMs = 0;
const status = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
let bytes = 0;
let wrong = 0;
let timeouts = 0;
let readErrors = 0;
let failure: unknown;
let next = 0;
const ended = Promise.withResolvers<void>();
const startMs = performance.now();
const loadMs = durationSeconds === null ? FOREVER_MS : durationSeconds * 1000;
const plannedMs = (index: number) =>
  arrivalRate === null ? performance.now() : startMs + (index * 1000) / arrivalRate;

async function send(index: number): Promise<void> {
  const sinceMs = plannedMs(index);
  lateness.record(performance.now() - Math.max(sinceMs, freeSinceMs));
  pending.set(index, sinceMs);
  const requester = free.pop() ?? requesterOf(request);
  busy.add(requester);
  try {
    const answer = await requester.ask(cycle[index % cycle.length]);
    const latencyMs = performance.now() - sinceMs;
    latencies.record(latencyMs);
    bytes += answer.wireBytes;
    if (!answer.isRight) wrong++;
    const name = `${Math.floor(answer.status / 100)}xx`;
    if (name === '1xx' || name === '2xx' || name === '3xx' || name === '4xx' || name === '5xx')
      status[name]++;
    if (latencyMs > limitMs) timeouts++;
    free.push(requester);
  } catch (error) {
    failure = error;
    requester[Symbol.dispose]();
    readErrors++;
  }
  busy.delete(requester);
  if (pending.size === connections) freeSinceMs = performance.now();
  pending.delete(index);
  dispatch();
}

/** Sends what is due, as far as there are connections. */
function dispatch(): void {
  const nowMs = performance.now();
  const isOver = nowMs >= startMs + loadMs;
  while (!isOver && next < most && pending.size < connections && plannedMs(next) <= performance.now())
    void send(next++);
  if (pending.size === 0 ? next >= most || isOver : isOver && arrivalRate === null) ended.resolve();
}

const timer = setInterval(dispatch, 1);
const limit = setTimeout(ended.resolve, Math.min(FOREVER_MS, loadMs + DRAIN_MS));
dispatch();
await ended.promise;
clearInterval(timer);
clearTimeout(limit);
const endMs = performance.now();
// Planned requests without an answer have waited at least until now. Without a plan, they are left out.
if (arrivalRate !== null) {
  for (const sinceMs of pending.values()) latencies.record(endMs - sinceMs);
  for (let index = next; index < most; index++) latencies.record(endMs - plannedMs(index));
}
const answers = Object.values(status).reduce((sum, count) => sum + count, 0);
const { p99Ms, maxMs } = lateness.figures;
const report: ToolReport = {
  latency: latencies.figures,
  requests: answers,
  durationSeconds: arrivalRate === null ? (endMs - startMs) / 1000 : most / arrivalRate,
  bytes,
  readErrors,
  timeouts,
  non2xx: wrong,
  status,
  lateness: arrivalRate === null ? undefined : { p99Ms, maxMs },
};
if (failure !== undefined || answers === 0)
  console.error(reasonOf(failure ?? new Error('no request was answered')));
if (answers > 0) console.log(JSON.stringify(report));
if (answers === 0) process.exitCode = 1;
// Without connections the process ends by itself; process.exit() can wait forever (nodejs/node#54918).
for (const requester of [...free, ...busy]) requester[Symbol.dispose]();
