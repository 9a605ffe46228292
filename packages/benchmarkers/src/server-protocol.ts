/** Finds out which protocols a server speaks, with a connection for each protocol in question. */

import { once } from 'node:events';
import type { LoadOptions, Protocol } from '@bench-cli/core';
import { exchange } from './exchange.ts';
import { addressText, checkOptions, type LoadRequest } from './load-request.ts';

/** Time limit for the settings of a server of HTTP/2; `timeoutSeconds` can only make it shorter. */
const settingsSeconds = 5;

/**
 * The first of some protocols that a server speaks. If it is unknown, as of a server that does not answer, it is the first of them.
 * @throws what `problem` makes of another protocol that the server speaks, and of the place of the server
 */
export async function spokenProtocol(
  options: LoadOptions,
  candidates: readonly [Protocol, ...Protocol[]],
  signal: AbortSignal | undefined,
  problem: (spoken: LoadRequest, place: string) => Error,
): Promise<Protocol> {
  let isUnknown = false;
  for (const protocol of candidates) {
    const isSpoken = await isSpokenIn(checkOptions({ ...options, protocol }).request, signal);
    if (isSpoken) return protocol;
    isUnknown ||= isSpoken === undefined;
  }
  if (isUnknown) return candidates[0];
  const others = (['http', 'https'] as const).flatMap((scheme) =>
    ([scheme, 'http2'] as const).map((protocol) => checkOptions({ ...options, protocol, scheme }).request),
  );
  for (const request of others)
    if (await isSpokenIn(request, signal)) throw problem(request, addressText(request.address));
  return candidates[0];
}

/** Whether a server speaks the protocol of a request; undefined if it neither answers nor closes the connection. */
async function isSpokenIn(request: LoadRequest, signal: AbortSignal | undefined) {
  if (request.protocol === 'http2') return isHttp2Spoken(request, signal);
  const { status, isClosed, isForeign } = await exchange(request, 1, signal);
  if (status !== undefined) return true;
  return isClosed || isForeign ? false : undefined;
}

async function isHttp2Spoken({ url, socketPath, timeoutSeconds }: LoadRequest, signal?: AbortSignal) {
  const session = process.getBuiltinModule('node:http2').connect(new URL(url).origin, {
    ...(socketPath !== undefined && { path: socketPath }),
    rejectUnauthorized: false,
  });
  const limit = AbortSignal.timeout(Math.ceil(Math.min(settingsSeconds, timeoutSeconds) * 1000));
  const ended = { signal: AbortSignal.any(signal === undefined ? [limit] : [limit, signal]) };
  try {
    const closed = once(session, 'close', ended).then(() => false);
    return await Promise.race([once(session, 'remoteSettings', ended).then(() => true), closed]);
  } catch {
    signal?.throwIfAborted();
    return limit.aborted ? undefined : false;
  } finally {
    session.on('error', () => {}).destroy();
  }
}
