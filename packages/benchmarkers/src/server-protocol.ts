/** Finds out which protocols a server speaks, with a connection for each protocol in question. */

import { once } from 'node:events';
import type { LoadOptions, Protocol } from '@bench-cli/core';
import { firstAnswer } from './answers.ts';
import { addressText, checkOptions, type LoadRequest } from './load-request.ts';
import type { NoAnswer, TimedAnswer } from './server-answer.ts';

/** Time limit for the settings of a server of HTTP/2; `timeoutSeconds` can only make it shorter. */
const settingsSeconds = 5;

/**
 * The first of some protocols that a server speaks, or the first of all if the server does not answer, with
 * the answer to the request of the load over it.
 * @throws what `problem` makes of another protocol that the server speaks, and of the place of the server
 */
export async function spokenProtocol(
  options: LoadOptions,
  candidates: readonly [Protocol, ...Protocol[]],
  signal: AbortSignal | undefined,
  problem: (spoken: LoadRequest, place: string) => Error,
) {
  let isUnknown = false;
  const answers: (TimedAnswer | NoAnswer | undefined)[] = [];
  for (const protocol of candidates) {
    const { isSpoken, first } = await speak(checkOptions({ ...options, protocol }).request, signal);
    if (isSpoken) return { protocol, first };
    answers.push(first);
    isUnknown ||= isSpoken === undefined;
  }
  const unknown = { protocol: candidates[0], first: answers[0] };
  if (isUnknown) return unknown;
  const others = (['http', 'https'] as const).flatMap((scheme) =>
    ([scheme, 'http2'] as const).map((protocol) => checkOptions({ ...options, protocol, scheme }).request),
  );
  for (const request of others)
    if ((await speak(request, signal)).isSpoken) throw problem(request, addressText(request.address));
  return unknown;
}

/** Whether a server speaks a protocol; undefined if it neither answers nor closes the connection. */
async function speak(request: LoadRequest, signal: AbortSignal | undefined) {
  if (request.protocol === 'http2') {
    const isSpoken = await isHttp2Spoken(request, signal);
    return { isSpoken, first: isSpoken ? await firstAnswer(request, signal) : undefined };
  }
  const first = await firstAnswer(request, signal);
  const how = 'how' in first ? first.how : undefined;
  return { isSpoken: how === 'late' ? undefined : how !== 'other protocol', first };
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
