import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { lateProblem, sendBatch } from '../src/block/batch.ts';
import type { HttpClient } from '../src/client/http-client.ts';
import type { ClusterServer } from '../src/index.ts';
import { type ServerAddress, tagPath, urlOf } from '../src/server/address.ts';
import { POST_BYTES } from '../src/server/bodies.ts';
import { tallyProblem } from '../src/server/tally.ts';
import { type ExpectedAnswer, type TestedServer, tallyOf } from '../src/server/tested-server.ts';

/** The directory of the package, in which the compared libraries are installed. */
export const directory: string = fileURLToPath(new URL('..', import.meta.url));

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly parallel?: number;
  readonly connections?: number;
  readonly answerTimeoutMs?: number;
  readonly path?: string;
}

/** Connects a client in this process, sends requests at once, and closes it. */
export async function sendWith(
  client: HttpClient,
  server: ServerAddress,
  expected: ExpectedAnswer,
  { method = 'GET', parallel = 4, connections = 2, answerTimeoutMs = 20_000, path = '/' }: Sent = {},
) {
  const body = method === 'POST' ? '_'.repeat(POST_BYTES) : undefined;
  const headers: Readonly<Record<string, string>> =
    body === undefined ? {} : { 'content-type': 'text/plain', 'content-length': String(body.length) };
  const connection = await client.connect(
    { ...server, socketPath: server.socketPath, url: `${urlOf(server)}${path}`, method, body, headers },
    { connections, pipelining: 1, headersTimeoutMs: 0, bodyTimeoutMs: 0 },
  );
  const answers = await sendBatch(connection, { parallel, expected, answerTimeoutMs });
  await new Promise((resolve) => setImmediate(resolve));
  await connection.close?.();
  return answers;
}

/** Sends requests, checks the answers once more when the client is closed, and asks the server about them. */
export async function sendTagged(
  client: HttpClient,
  server: ClusterServer,
  { answers: { GET, POST } }: TestedServer,
  options: Omit<Sent, 'path'> = {},
) {
  const { method = 'GET' } = options;
  const expected = method === 'GET' ? GET : POST;
  if (expected === undefined) throw new Error(`no answer by ${method}`);
  const tag = randomUUID();
  const answers = await sendWith(client, server, expected, { ...options, path: `${tagPath}${tag}` });
  const tally = await tallyOf(server, tag);
  const claim = { answers: answers.length, method, bytes: method === 'POST' ? POST_BYTES : 0 };
  const problem = lateProblem(answers, expected) ?? (tally && tallyProblem(tally, claim));
  return { answers, tally, problem };
}
