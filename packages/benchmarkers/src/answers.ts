/**
 * A load tool counts the answers that it gets. These checks find servers that do not listen, and those whose answers are fewer or
 * more than the requests, which the figures of a tool do not show.
 */

import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadResult } from '@bench-cli/core';
import { exchange } from './exchange.ts';
import { addressText, type LoadRequest } from './load-request.ts';
import { makeRequest, reasonOf } from './requester.ts';

/**
 * A smaller share of the time waiting for answers means that connections are silent. On a loaded machine, opening many
 * connections in a short load leaves about 15 % of the time.
 */
const leastBusyShare = 0.1;

const connectLimitMs = 5_000;

/**
 * Opens and closes one connection, since load tools report little if no server listens.
 * @throws the error that `problem` makes of the reason, if there is no connection
 */
export async function checkListening(
  { address }: LoadRequest,
  signal: AbortSignal | undefined,
  problem: (why: string) => Error,
): Promise<void> {
  const socket = connect({ ...address, timeout: connectLimitMs });
  socket.once('timeout', () => socket.destroy(new Error(`no connection within ${connectLimitMs / 1000} s`)));
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = Object(error);
    // A server accepted the connection before it reset it; the load tool will report such failures.
    if (code !== 'ECONNRESET')
      throw problem(`no server listens on ${addressText(address)} (${code ?? message})`);
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

/** Makes two requests over one connection. What the load tool reports itself, such as no answer, is not a problem here. */
export async function checkConnection(request: LoadRequest, signal: AbortSignal | undefined) {
  // In HTTP/2 an answer names its request.
  if (request.protocol === 'http2') return { keepsAlive: true, closes: false, problem: undefined };
  const { status = 0, answers, surplus, isClosed } = await exchange(request, 2, signal);
  const problem = surplus
    ? 'the server sends more answers than it gets requests, so there is no rate; fix the server'
    : undefined;
  return { keepsAlive: answers === 2, closes: answers === 1 && isClosed && status < 300, problem };
}

/** Makes one more request after the load, which must get a complete answer of any status. */
export async function stillAnswers(request: LoadRequest, signal: AbortSignal | undefined) {
  try {
    await makeRequest(request, signal);
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    return `one more request after the load was not answered completely, so there is no rate: ${reasonOf(error)}`;
  }
}

/**
 * Finds connections on which the server stopped answering. If each connection always waits for an answer, the latencies add up
 * to the time of all connections.
 */
export function unanswered(
  { amount, connections, maxConcurrentStreams = 1, pipelining = 1, protocol }: LoadRequest,
  { requests, durationSeconds, latency }: LoadResult,
): string | undefined {
  if (amount.kind === 'requests' || !latency.meanMs) return undefined;
  const pending = connections * (protocol === 'http2' ? maxConcurrentStreams : pipelining);
  const share = (requests * latency.meanMs) / (pending * durationSeconds * 1000);
  return share >= leastBusyShare
    ? undefined
    : `answered requests explain only ${(share * 100).toPrecision(2)} % of the time of the connections, so there is no rate: the server stopped answering on some of them, or opening them took most of the load`;
}
