import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClusterServer, startClusterServer } from '../src/index.ts';
import { tallyProblem } from '../src/server/tally.ts';
import { examineServer, type TestedServer } from '../src/server/tested-server.ts';
import { sendTagged } from './clients-of-tests.ts';
import lyingClients from './fixtures/lying-clients.ts';

let server: ClusterServer;
let tested: TestedServer;

beforeAll(async () => {
  server = await startClusterServer({ port: 0, workers: 1, delayMs: 0 });
  tested = await examineServer(server, ['GET', 'POST']);
});
afterAll(() => server.close());

type Options = Parameters<typeof sendTagged>[3];

async function send(name: string, options?: Options): Promise<void> {
  const client = lyingClients.clients.find((it) => it.name === name);
  if (client === undefined) throw new Error(`no client ${name}`);
  const { problem } = await sendTagged(client, server, tested, options);
  if (problem !== undefined) throw new Error(problem);
}

it.for<[name: string, error: RegExp, options?: Options]>([
  ['wrong status', /request 1 of 4 .*503 .*200/],
  ['redirect taken for an answer', /302 .*200/],
  ['redirected by another server', /redirected/, { parallel: 1 }],
  ['short body', /65535 .*65536/],
  ['long body', /65537 .*65536/],
  ['no body', / 0 .*65536/],
  ['truncated', / \d+ .*65536/],
  ['swallowed error', /request \d of 4 /],
  ['closed port', /request \d of 4 failed: .*ECONNREFUSED/],
  ['fetch of a blocked port', /failed: TypeError: fetch failed \(bad port\)/],
  ['does nothing', /request 1 of 4 /],
  ['never answers', /4 requests .*0\.1 s/, { answerTimeoutMs: 100 }],
  ['resolves at the headers', / 0 of 65536 /],
  ['does not wait', /request 1 of 4 /],
  ['double count', / 2 answers/],
  ['double count afterwards', / after .* 2 answers/],
  ['throws something else', /request 1 of 4 .*: no error object/],
  ['cannot be closed', /close/],
  ['half of a connection', /request \d of 4 /],
  ['cannot connect', /no licence/],
  ['open breaker', /request 7 of 8 .*: Breaker is open/, { parallel: 8 }],
  ['open breaker with a fallback', /request 7 of 8 .* 5 .*65536/, { parallel: 8 }],
  ['invented answer', /body/],
  ['wrong body of the right length', /body/],
  ['the first body for every answer', /same body/, { parallel: 8 }],
  ['one request for two answers', /8 answers.* 4 requests/, { parallel: 8 }],
  ['two requests for an answer', /4 answers.* 8 requests/],
  ['another path', /4 answers.* 0 requests/],
  ['sends no body', /0 bytes .*131072/, { method: 'POST' }],
  ['GET instead of POST', /requests by GET/, { method: 'POST' }],
])('a batch fails with its first error if clients lie: %s', async ([name, error, options], { annotate }) => {
  const refused: unknown = await send(name, options).catch((thrown) => thrown);
  await annotate(`${name}: ${refused}`);
  expect(`${refused}`).toMatch(error);
});

it('an honest client passes', async () => {
  await send('honest');
});

it('answers that were not taken to their end do not pass', () => {
  const tally = { methods: { GET: 10 }, received: 0, finished: 9 };
  expect(tallyProblem(tally, { answers: 10, method: 'GET', bytes: 0 })).toMatch(/10 answers.* 9 /);
});
