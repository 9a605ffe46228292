import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lateProblem } from '../src/block/batch.ts';
import { type ClusterServer, startClusterServer } from '../src/index.ts';
import { ANSWER_BYTES } from '../src/server/answering.ts';
import { sendWith } from './clients-of-tests.ts';
import lyingClients from './fixtures/lying-clients.ts';

const expected = { status: 200, bytes: ANSWER_BYTES };
let server: ClusterServer;

beforeAll(async () => {
  server = await startClusterServer({ port: 0, workers: 1, timeoutMs: 0 });
});
afterAll(() => server.close());

/** Sends requests with a client of the fixture, closes it, and looks at its answers once more. */
async function send(name: string, options: Parameters<typeof sendWith>[3] = {}): Promise<void> {
  const client = lyingClients.clients.find((it) => it.name === name);
  if (client === undefined) throw new Error(`no client ${name}`);
  const { answers, connection } = await sendWith(client, server, expected, options);
  await new Promise((resolve) => setImmediate(resolve));
  await connection.close?.();
  const problem = lateProblem(answers, expected);
  if (problem !== undefined) throw new Error(problem);
}

describe('a batch fails, with its first error, if a client', () => {
  it.each<[name: string, error: RegExp]>([
    ['wrong status', /request 1 of 4 got status 503 instead of 200/],
    ['redirect taken for an answer', /got status 302 instead of 200/],
    ['short body', /got 65535 bytes instead of 65536/],
    ['long body', /got 65537 bytes instead of 65536/],
    ['no body', /got 0 bytes instead of 65536/],
    ['truncated', /got \d+ bytes instead of 65536/],
    ['swallowed error', /request \d of 4 ended without an answer/],
    ['closed port', /request \d of 4 failed: .*ECONNREFUSED/],
    ['fetch of a blocked port', /failed: TypeError: fetch failed \(bad port\)/],
    ['does nothing', /request 1 of 4 ended without an answer/],
    ['resolves at the headers', /ended before its answer was read: 0 of 65536 bytes/],
    ['does not wait', /request 1 of 4 ended without an answer/],
    ['double count', /got 2 answers/],
    ['double count afterwards', /after it was complete.* got 2 answers/],
    ['throws something else', /request 1 of 4 failed: no error object/],
    ['cannot be closed', /close failed/],
    ['half of a connection', /ended before its answer was read/],
    ['cannot connect', /no licence/],
  ])('%s', async (name, error) => {
    await expect(send(name)).rejects.toThrow(error);
  });

  it.each<[name: string, error: RegExp]>([
    ['open breaker', /request 7 of 8 failed: Breaker is open/],
    ['open breaker with a fallback', /request 7 of 8 got 5 bytes instead of 65536/],
  ])('%s, later', async (name, error) => {
    await expect(send(name, { parallel: 8 })).rejects.toThrow(error);
  });

  it('redirected by another server', async () => {
    await expect(send('redirected by another server', { parallel: 1 })).rejects.toThrow(/was redirected/);
  });

  it('never answers', async () => {
    await expect(send('never answers', { answerTimeoutMs: 100 })).rejects.toThrow(/4 requests .*0\.1 s/);
  });
});

it('an honest client passes', async () => {
  await send('honest');
});
