import { describe, expect, it, vi } from 'vitest';
import { firstAnswer } from '../src/answers.ts';
import { startTestServer } from '../src/contract/test-server.ts';
import { checkOptions } from '../src/load-request.ts';
import type { TimedAnswer } from '../src/server-answer.ts';
import { type Sightings, unlikely, watchdogOf } from '../src/watchdog.ts';
import { loadResult } from './load-result.ts';
import { answering, startRawServer } from './raw-server.ts';

/** The time limit for an answer, milliseconds. */
const limitMs = 1000;

const whole = { status: 200, reason: 'OK', wireBytes: 100, interim: [], ms: 1 };
const first: TimedAnswer = { ...whole, connection: 'open' };

/** What the watchdog says of a server that answers its first request with the function. */
async function problemWith(answerFirst: (answer: () => void) => void): Promise<string | undefined> {
  const asked = Promise.withResolvers<void>();
  let answers = 0;
  await using server = await startRawServer(
    answering((socket) => {
      const answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      if (answers++ === 0) answerFirst(answer);
      else answer();
      asked.resolve();
    }),
  );
  const { request } = checkOptions({ port: server.port, connections: 1, timeoutSeconds: limitMs / 1000 });
  using watchdog = watchdogOf(request, first);
  await asked.promise;
  return (await watchdog.end(loadResult(1), true, undefined)).problem;
}

it('the watchdog of a load finds an answer that is late', async () => {
  expect(await problemWith(() => {})).toContain('the server stalls');
});

it('the watchdog of a load takes no answer for late while its own process did not run', async () => {
  const problem = await problemWith((answer) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * limitMs);
    answer();
  });
  expect(problem).toBeUndefined();
});

it('the watchdog of a load finds the late one of requests that were sent at the same time', async () => {
  const now = performance.now.bind(performance);
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => 50 * Math.floor(now() / 50));
  let answers = 0;
  await using server = await startTestServer('http', 'http', undefined, (__, answer) => {
    if (++answers !== 5) answer.end();
  });
  const { request } = checkOptions({ port: server.port, connections: 9, timeoutSeconds: limitMs / 1000 });
  using watchdog = watchdogOf(request, first);
  expect((await watchdog.end(loadResult(9), true, undefined)).problem).toContain('the server stalls');
});

it.each<[what: string, requests: number, bytesOfAnswer: number, problem: RegExp | undefined]>([
  // If both requests had the same weight, the mix could have 2970.
  ['no rate that the mix can have', 3500, 1000, undefined],
  ['other bytes than those of the mix', 3500, 500, /500 bytes/],
])(
  'the watchdog of a mix sends each of its requests, and refuses %s',
  async (_, requests, bytesOfAnswer, problem) => {
    const bodies: Record<string, [afterMs: number, body: string]> = {
      '/seldom': [100, 'x'.repeat(8775)],
      '/often': [1, ''],
    };
    await using server = await startTestServer('http', 'http', undefined, ({ url = '' }, answer) => {
      const [afterMs, body] = bodies[url] ?? [0, 'an unknown path'];
      setTimeout(() => answer.end(body), afterMs);
    });
    const mix = [{ path: '/seldom' }, { path: '/often', weight: 9 }];
    const { request } = checkOptions({ port: server.port, connections: 10, mix });
    const answer = await firstAnswer(request, undefined);
    if ('how' in answer) throw new Error(answer.message);
    using watchdog = watchdogOf(request, answer);
    const figures = { requests, durationSeconds: 10, bytes: requests * bytesOfAnswer };
    const { problem: found } = await watchdog.end({ ...loadResult(1), ...figures }, false, undefined);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  },
);

describe('a rate is refused if requests beside the load', () => {
  const statuses = new Map([[200, 50]]);
  const seen: Sightings = { statuses, bytes: [100, 120], fastestMs: 5, hasSurplus: false };
  const { request } = checkOptions({ port: 1, connections: 20 });
  /** 20 connections get at most 4000 answers per second. */
  const result = { ...loadResult(4000), requests: 40_000, durationSeconds: 10, bytes: 40_000 * 110 };

  it.each<[what: string, named: RegExp, sightings: Partial<Sightings>, figures: object]>([
    ['get surplus answers', /more answers .*beside the load got them/, { hasSurplus: true }, {}],
    ['are slower than so many answers allow', /more answers .*60100.*5\.0 ms/, {}, { requests: 60_100 }],
    ['find a redirect', /2 of 52 .*302/, { statuses: new Map(statuses).set(302, 2) }, {}],
    ['get fewer bytes than those of the load', /130 bytes .*100 to 120/, {}, { bytes: 40_000 * 130 }],
    ['get more bytes than those of the load', /90 bytes .*100 to 120/, {}, { bytes: 40_000 * 90 }],
    [
      'know that half of the answers came at once',
      /at most 7 µs, .*of 50 .* 380 µs/,
      { fastestMs: 0.38 },
      { latency: { ...result.latency, p50Ms: 0.007 } },
    ],
  ])('%s', (_, named, sightings, figures) => {
    expect(unlikely(request, { ...result, ...figures }, { ...seen, ...sightings }, false)).toMatch(named);
  });

  it.each<[what: string, sightings: Partial<Sightings>, figures: object, countsStatus?: boolean]>([
    ['agree with it', {}, {}],
    ['find a redirect that the tool counts too', { statuses: new Map([[302, 50]]) }, { bytes: null }, true],
    ['were too few to tell', { statuses: new Map([[200, 19]]) }, { requests: 60_100, bytes: null }],
    ['were slowed down by the machine', { fastestMs: 3 }, { requests: 400_000, bytes: null }],
    ['are as fast, for the machine is', { fastestMs: 0.1 }, { latency: { ...result.latency, p50Ms: 0.015 } }],
    ['were slow beside fast answers', {}, { latency: { ...result.latency, p50Ms: 0.03 } }],
    ['see answers of the load as its end cut them', {}, { requests: 40, bytes: 40 * 150 }],
  ])('but not if they %s', (_, sightings, figures, countsStatus = false) => {
    expect(
      unlikely(request, { ...result, ...figures }, { ...seen, ...sightings }, countsStatus),
    ).toBeUndefined();
  });
});
