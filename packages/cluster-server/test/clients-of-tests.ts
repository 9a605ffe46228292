import { fileURLToPath } from 'node:url';
import { sendBatch } from '../src/block/batch.ts';
import type { HttpClient } from '../src/client/http-client.ts';
import { type ServerAddress, urlOf } from '../src/server/address.ts';
import { POST_BYTES } from '../src/server/bodies.ts';
import type { ExpectedAnswer } from '../src/server/tested-server.ts';

/** The directory of the package, in which the compared libraries are installed. */
export const directory: string = fileURLToPath(new URL('..', import.meta.url));

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Connects a client in this process and sends requests at once. The caller closes the connection. */
export async function sendWith(
  client: HttpClient,
  server: ServerAddress,
  expected: ExpectedAnswer,
  {
    method = 'GET',
    parallel = 4,
    connections = 2,
    answerTimeoutMs = 20_000,
    path = '/',
  }: {
    readonly method?: 'GET' | 'POST';
    readonly parallel?: number;
    readonly connections?: number;
    readonly answerTimeoutMs?: number;
    readonly path?: string;
  } = {},
) {
  const body = method === 'POST' ? '_'.repeat(POST_BYTES) : undefined;
  const headers: Readonly<Record<string, string>> =
    body === undefined ? {} : { 'content-type': 'text/plain', 'content-length': String(body.length) };
  const connection = await client.connect(
    { ...server, socketPath: server.socketPath, url: `${urlOf(server)}${path}`, method, body, headers },
    { connections, pipelining: 1, headersTimeoutMs: 0, bodyTimeoutMs: 0 },
  );
  const answers = await sendBatch(connection, { parallel, expected, answerTimeoutMs });
  return { answers, connection };
}
