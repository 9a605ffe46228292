import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClusterServer, renderClientText, startClusterServer } from '../src/index.ts';
import { compareQuickly, fixture } from './clients-of-tests.ts';

const config = fixture('lying-clients.ts');
let server: ClusterServer;

beforeAll(async () => {
  server = await startClusterServer({ port: 0, workers: 1, timeoutMs: 0 });
});
afterAll(() => server.close());

const measure = (clients: readonly string[], answerTimeoutMs = 20_000) =>
  compareQuickly(server, { config, clients, options: { answerTimeoutMs } });

describe('a client has no rank, and its first error is shown, if its behaviour is', () => {
  it.each<[name: string, error: RegExp]>([
    ['wrong status', /request 1 of 4 got status 503 instead of 200/],
    ['redirect taken for an answer', /got status 302 instead of 200/],
    ['short body', /got 65535 bytes instead of 65536/],
    ['long body', /got 65537 bytes instead of 65536/],
    ['no body', /got 0 bytes instead of 65536/],
    ['truncated', /got \d+ bytes instead of 65536/],
    ['cached answer', /8 answers.* 1 requests/],
    ['invented answer', /8 answers.* 0 requests/],
    ['open breaker', /request 3 of 4 failed: Breaker is open/],
    ['open breaker with a fallback', /request 3 of 4 got 5 bytes instead of 65536/],
    ['swallowed error', /request \d of 4 ended without an answer/],
    ['closed port', /request \d of 4 failed: .*ECONNREFUSED/],
    ['fetch of a blocked port', /failed: TypeError: fetch failed \(bad port\)/],
    ['does nothing', /request 1 of 4 ended without an answer/],
    ['resolves at the headers', /ended before its answer was read: 0 of 65536 bytes/],
    ['does not wait', /request 1 of 4 ended without an answer/],
    ['double count', /got 2 answers/],
    ['double count afterwards', /after it was complete.* got 2 answers/],
    ['two requests for an answer', /8 answers.* 16 requests/],
    ['throws something else', /request 1 of 4 failed: no error object/],
    ['ends its process', /thread .*ended/],
    ['fails later', /thrown later/],
    ['cannot be closed', /close failed/],
    ['half of a connection', /ended before its answer was read/],
    ['redirected by another server', /was redirected/],
    ['cannot connect', /no licence/],
  ])('%s', async (name, error) => {
    const { standings, failed } = await measure([name]);
    expect(standings).toEqual([]);
    expect(failed).toEqual([
      expect.objectContaining({ name, round: 1, error: expect.stringMatching(error) }),
    ]);
  });

  it('never answers', async () => {
    const { standings, failed } = await measure(['never answers'], 200);
    expect(standings).toEqual([]);
    expect(failed[0]?.error).toMatch(/4 requests .*0\.2 s/);
  });
});

it('does not affect the other clients', async () => {
  const { standings, failed } = await measure(['ends its process', 'honest', 'invented answer']);
  expect(standings.map((it) => it.name)).toEqual(['honest']);
  expect(failed.map((it) => it.name)).toEqual(['invented answer', 'ends its process']);
});

it('shows failed clients above the others, without a rate', async () => {
  const text = renderClientText(await measure(['wrong status', 'honest']));
  expect(text).toMatch(/│ wrong status │ +0 │ +failed │ +- │ +- │/);
  expect(text).toContain('wrong status failed in round 1 and has no rank: request 1 of 4 got status 503');
});
