/**
 * A load tool counts its answers. These checks find servers that do not listen, that give wrong answers, or
 * that stop answering, which the figures of a tool do not show.
 */

import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadResult } from '@bench-cli/core';
import { addressText, type LoadRequest, pendingRequests } from './load-request.ts';
import { reasonOf, requesterOf } from './requester.ts';
import { isRight, type NoAnswer, type TimedAnswer } from './server-answer.ts';

/**
 * A smaller share of the time waiting for answers means that connections are silent. On a loaded machine,
 * opening many connections in a short load leaves about 15 % of the time.
 */
const leastBusyShare = 0.1;

const connectLimitMs = 5_000;

/** Why no server listens, of which load tools report little; undefined if one does. */
export async function notListening({ address }: LoadRequest, signal: AbortSignal | undefined) {
  const socket = connect({ ...address, timeout: connectLimitMs });
  socket.once('timeout', () => socket.destroy(new Error(`no connection within ${connectLimitMs / 1000} s`)));
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = Object(error);
    // A server accepted the connection before it reset it; the load tool will report such failures.
    if (code !== 'ECONNRESET') return `no server listens on ${addressText(address)} (${code ?? message})`;
  } finally {
    socket.on('error', () => {}).destroy();
  }
  return undefined;
}

/** Sends the request of a load once, before it. @throws the reason of `signal` if it aborts */
export async function firstAnswer(
  request: LoadRequest,
  signal: AbortSignal | undefined,
): Promise<TimedAnswer | NoAnswer> {
  signal?.throwIfAborted();
  using requester = requesterOf(request);
  const over = Promise.withResolvers<NoAnswer>();
  const late = () => over.resolve({ how: 'late', message: `no answer within ${request.timeoutSeconds} s` });
  using _timer = setTimeout(late, request.timeoutSeconds * 1000);
  signal?.addEventListener('abort', late, { once: true });
  const startMs = performance.now();
  try {
    const answer = await Promise.race([requester.ask(), over.promise]);
    return 'how' in answer ? answer : { ...answer, ms: performance.now() - startMs };
  } catch (error) {
    const { code = '' } = Object(error);
    const isBroken = String(code).startsWith('HPE_') && code !== 'HPE_INVALID_CONSTANT';
    return { how: isBroken ? 'broken' : 'other protocol', message: reasonOf(error) };
  } finally {
    signal?.removeEventListener('abort', late);
    signal?.throwIfAborted();
  }
}

/** Why the first answer is not a right one; undefined if it is. */
export function wrongAnswer(request: LoadRequest, first: TimedAnswer | NoAnswer): string | undefined {
  const { method, path, expectStatus } = request;
  if ('how' in first) return `${method} ${path} was not answered completely: ${first.message}`;
  const { status, reason } = first;
  if (isRight(request, status)) return undefined;
  const answered = `${method} ${path} answered ${`${status} ${reason}`.trim()}`;
  if (expectStatus !== undefined) return `${answered} instead of ${expectStatus}`;
  const remedy =
    status < 400
      ? `load the target of the redirect, or say that ${status} is right (expectStatus, --expect-status ${status})`
      : 'correct path, method, headers or body';
  return `${answered}: ${remedy}`;
}

/** The most requests of one connection, how many HTTP/2 takes at once, and milliseconds of all. */
const ENDING = { requests: 10_000, streams: 50, ms: 5000 };

/** Sends requests over one connection until the server ends it. @returns their number, or undefined */
export async function endingAfter(request: LoadRequest): Promise<number | undefined> {
  using requester = requesterOf(request);
  using _timer = setTimeout(() => requester[Symbol.dispose](), ENDING.ms);
  const length = request.protocol === 'http2' ? ENDING.streams : 1;
  try {
    for (let answers = 0; answers < ENDING.requests; ) {
      const batch = await Promise.all(Array.from({ length }, () => requester.ask()));
      const kept = batch.filter(({ ended }) => ended === 0);
      answers += kept.length;
      if (kept.length < length || kept.some(({ connection }) => connection === 'closing')) return answers;
    }
  } catch {
    // The server did not end the connection between two answers.
  }
  return undefined;
}

/**
 * Finds connections on which the server stopped answering. If each connection always waits for an answer, the
 * latencies add up to the time of all connections.
 */
export function unanswered(request: LoadRequest, { requests, durationSeconds, latency }: LoadResult) {
  if (request.amount.kind === 'requests' || !latency.meanMs) return undefined;
  const share = (requests * latency.meanMs) / (pendingRequests(request) * durationSeconds * 1000);
  return share >= leastBusyShare
    ? undefined
    : `answered requests explain only ${(share * 100).toPrecision(2)} % of the time of the connections, so there is no rate: the server stopped answering on some of them, or opening them took most of the load`;
}
