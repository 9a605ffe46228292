import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Case, caseKey } from '@bench-cli/results';
import { readRecording } from '@bench-cli/results/recording';
import { resumeSession, runSession, type SessionEvent } from '@bench-cli/runner';
import { allowedCpus } from '@bench-cli/system';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { noisySubjects, noisySuite } from '../../../test/support/noisy-suite.ts';
import { isRunning } from '../../../test/support/processes.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { requestIn, runsOf, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { simulateLanes } from '../simulation/virtual-lanes.ts';
import { eventsOf } from '../src/execution/event-stream.ts';
import { caseDealer, onLanes } from '../src/execution/lane.ts';

const cases: readonly Case[] = ['a', 'b', 'c', 'd'].map((benchmark) => ({ benchmark, configuration: {} }));
const names = (of: Iterable<Case>) => Array.from(of, ({ benchmark: name }) => name);
const unknown = () => undefined;

describe('dealing cases to lanes', () => {
  it('gives a case to the first lane that is free, and leaves it there', () => {
    const dealer = caseDealer(unknown);
    const [first, second] = [dealer.casesOf({ index: 0 }, cases), dealer.casesOf({ index: 1 }, cases)];
    const taken = [first, second, second, first].map((lane) => lane.next().value?.benchmark);
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
    expect(names(dealer.casesOf({ index: 0 }, cases))).toEqual(['a', 'd']);
    expect(names(dealer.casesOf({ index: 1 }, cases))).toEqual(['b', 'c']);
  });

  it('begins with the lanes of an interrupted session', () => {
    const dealer = caseDealer(({ benchmark: name }) => (name === 'a' ? 1 : undefined));
    expect(names(dealer.casesOf({ index: 0 }, cases))).toEqual(['b', 'c', 'd']);
    expect(names(dealer.casesOf({ index: 1 }, cases))).toEqual(['a']);
  });

  it('lets a lane without cases of its own take over those that wait for others', () => {
    const dealer = caseDealer(() => 0);
    const waiting = new Set(cases);
    const [first, second] = [dealer.takeFrom({ index: 0 }, waiting), dealer.takeFrom({ index: 1 }, waiting)];
    const taken = [first, second, first, second, first].map((lane) => lane.next().value?.benchmark);
    expect(taken).toEqual(['a', 'b', 'c', 'd', undefined]);
    expect(names(dealer.casesOf({ index: 1 }, cases))).toEqual(['b', 'd']);
  });
});

it('a round that was interrupted continues on the lanes on which its cases began', () => {
  const dealer = caseDealer(({ benchmark: name }) => (name === 'd' ? 1 : 0));
  const isBegun = ({ benchmark: name }: Case) => name === 'a' || name === 'd';
  const waiting = new Set(cases);
  expect(names(dealer.takeFrom({ index: 1 }, waiting, isBegun))).toEqual(['d', 'b', 'c']);
  expect(names(dealer.takeFrom({ index: 0 }, waiting, isBegun))).toEqual(['a']);
});

describe('lanes', () => {
  it('emit their events as they occur, and wait until each is handled', async () => {
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const events = eventsOf<string>(
      (emit, signal) =>
        onLanes({ lanes: [0, 1], signal }, async (lane) => {
          await emit(`begin ${lane}`);
          await turns[lane]?.promise;
          await emit(`end ${lane}`);
        }),
      undefined,
    );
    for await (const event of events) {
      seen.push(event);
      if (seen.length === 2) turns[1]?.resolve();
      if (event === 'end 1') turns[0]?.resolve();
    }
    expect(seen).toEqual(['begin 0', 'begin 1', 'end 1', 'end 0']);
  });

  it.each(['fails', 'is left'])('end all others if one %s', async (how) => {
    let ended = 0;
    const late: string[] = [];
    const events = eventsOf<number>(
      (emit, whole) =>
        onLanes({ lanes: [0, 1, 2], signal: whole }, async (lane, { signal }) => {
          if (lane === 0) {
            await emit(lane);
            if (how === 'fails') throw new RangeError('lane 0');
          }
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
          ended++;
          await emit(lane);
          late.push(`handled ${lane}`);
          signal.throwIfAborted();
        }),
      undefined,
    );
    const follow = async () => {
      for await (const _ of events) if (how === 'is left') break;
    };
    if (how === 'fails') await expect(follow()).rejects.toThrow('lane 0');
    else await follow();
    expect(ended).toBe(how === 'fails' ? 2 : 3);
    // No work waits for an iteration that has ended.
    expect(late).toHaveLength(ended);
  });

  it.each([false, true])(
    'divide the time by their number until the longest case dominates (in rounds that wait: %s)',
    async (isAdaptive) => {
      const timed = Array.from({ length: 60 }, (_, index) => ({
        roundMs: 100 + ((index * 37) % 60) * 5,
        rounds: isAdaptive ? 3 + ((index * 23) % 6) : 5,
      }));
      for (const count of [4, 16, 64]) {
        const { durationMs, evenMs, longestCaseMs } = await simulateLanes(timed, count, isAdaptive);
        expect(durationMs).toBeGreaterThanOrEqual(Math.max(evenMs, longestCaseMs));
        expect(durationMs).toBeLessThanOrEqual(evenMs + longestCaseMs);
      }
    },
  );
});

/** A CPU that this process may use. */
const [cpu = 0] = allowedCpus();

/** A session whose two jobs share a CPU, so that it can be executed on every machine. */
async function requestFor(suite: Pick<TemporarySuite, 'directory'>, options: SessionOptions = {}) {
  const request = await requestIn(suite, { timeoutMs: 20_000, ...options });
  return { ...request, settings: { ...request.settings, jobs: [`${cpu}`, `${cpu}-${cpu}`] } };
}

/** Each of two processes waits until the other one runs. */
const meeting = benchmark(
  '{ name: ["a", "b"], n: 1 }',
  `const at = (name) => join(import.meta.dirname, '..', name);
  writeFileSync(at(conf.name), '');
  const other = at(conf.name === 'a' ? 'b' : 'a');
  while (!existsSync(other)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  bench.report(1, 1000n);`,
  { head: "import { existsSync, writeFileSync } from 'node:fs';\nimport { join } from 'node:path';" },
);

describe.runIf(process.platform === 'linux')('a session with jobs', () => {
  it('measures cases at the same time, each on the CPUs of one job', async () => {
    using suite = temporarySuite({ 'g/meeting.js': meeting });
    const events = await Array.fromAsync(runSession(await requestFor(suite, { runs: 2 })));
    const runs = runsOf(events);
    expect(runs.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const cpus = Map.groupBy(runs, caseKey)
      .values()
      .map((all) => new Set(all.map((run) => run.cpus)));
    expect([...cpus].map((set) => set.size)).toEqual([1, 1]);
    expect(new Set(runs.map((run) => run.cpus))).toEqual(new Set([`${cpu}`, `${cpu}-${cpu}`]));
  });

  it('ends when a run loads an HTTP server', async () => {
    using suite = temporarySuite({
      'g/load.js': benchmark(
        '{ n: 1 }',
        `const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
         await once(server, 'listening');
         await bench.http({ port: server.address().port, benchmarker: 'test-double-http' });
         server.close();`,
        { head: "import { once } from 'node:events';\nimport { createServer } from 'node:http';" },
      ),
    });
    const session = Array.fromAsync(runSession(await requestFor(suite)));
    await expect(session).rejects.toThrow(errorWith('JOBS', 'g/load.js', 'HTTP', '--exclude'));
  });

  it('ends when two runs listen on one port', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = JSON.stringify(probe.address());
    await new Promise((resolve) => probe.close(resolve));
    using suite = temporarySuite({
      // The process that gets the port keeps it until it is killed.
      'g/port.js': benchmark(
        '{ name: ["a", "b"], n: 1 }',
        `createServer().listen(${address}.port, '127.0.0.1');`,
        {
          head: "import { createServer } from 'node:net';",
        },
      ),
    });
    const session = Array.fromAsync(runSession(await requestFor(suite)));
    await expect(session).rejects.toThrow(errorWith('JOBS', 'g/port.js', 'EADDRINUSE', '--exclude'));
    expect(isRunning(suite.path('g/port.js'))).toBe(false);
  });

  it('judges as without jobs, and again when it is resumed', async () => {
    using suite = noisySuite({ clear: { ratio: 2, noise: 0.01 }, wild: { ratio: 1, noise: 0.3 } });
    const out = suite.path('results.jsonl');
    const request = await requestFor(suite, { runs: { maxRuns: 12 }, subjects: noisySubjects(out) });
    const decisionsOf = (events: readonly SessionEvent[]) =>
      events.flatMap((event) =>
        event.type === 'decision' ? [[caseKey(event.decision), event.decision.judgement] as const] : [],
      );
    const { scripted } = suite;
    const whole = await Array.fromAsync(runSession(request, { out, scripted }));
    const decisions = new Map(decisionsOf(whole));
    expect([...decisions.values()]).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'difference' }),
        expect.objectContaining({ verdict: 'undecided' }),
      ]),
    );
    copyFileSync(out, suite.path('whole.jsonl'));
    const lines = readFileSync(out, 'utf8').split('\n');
    writeFileSync(out, `${lines.slice(0, 5).join('\n')}\n`);
    const resumed = await Array.fromAsync(resumeSession(out, { trust: true, scripted }));
    expect(new Map(decisionsOf(resumed))).toEqual(decisions);
    // Both runs of a round are on one CPU, also if the interruption was between them.
    const rounds = Map.groupBy(readRecording(out).runs, (run) => JSON.stringify([caseKey(run), run.round]));
    expect([...rounds.values()].map((runs) => new Set(runs.map((run) => run.cpus)).size)).toEqual(
      Array.from(rounds, () => 1),
    );
    expect(readRecording(out).runs).toHaveLength(readRecording(suite.path('whole.jsonl')).runs.length);
  });

  it('gives up a case that fails twice in a row, tears down, and measures metrics', async () => {
    using suite = temporarySuite({
      'g/a.js': benchmark('{ kind: ["bad"] }', "throw new Error('no');"),
      'g/b.js': benchmark('{ n: 1 }', undefined, {
        options: "{ setup() {}, teardown() { throw new Error('torn'); } }",
      }),
    });
    const scripted = scriptedRates(({ configuration: { kind } }) => (kind === 'bad' ? new Error('no') : 1));
    const request = await requestFor(suite, { runs: 3, metrics: ['alloc'] });
    const events = await Array.fromAsync(runSession(request, { scripted }));
    const count = (type: SessionEvent['type']) => events.filter((event) => event.type === type).length;
    expect(runsOf(events).filter(({ status }) => status === 'ok')).toHaveLength(3);
    expect(count('give up')).toBe(1);
    expect(count('skip')).toBeGreaterThan(0);
    expect(runsOf(events, 'metrics').filter(({ status }) => status === 'ok')).toHaveLength(3);
    expect(events.at(-2)).toMatchObject({ type: 'failure', record: { phase: 'teardown' } });
  });

  it('records the failure of a teardown also when the iteration was left before', async () => {
    using suite = temporarySuite({
      'g/a.js': benchmark('{ n: 1 }', 'bench.report(1, 1n);', {
        options: "{ setup() {}, teardown() { throw new Error('torn'); } }",
      }),
    });
    const out = suite.path('r.jsonl');
    for await (const event of runSession(await requestFor(suite), { out })) if (event.type === 'run') break;
    expect(readRecording(out)).toMatchObject({ ended: false, failures: [{ phase: 'teardown' }] });
  });

  it('leaves no process when it is ended', async () => {
    using suite = temporarySuite({
      'g/endless.js': benchmark('{ name: ["a", "b"], n: 1 }', 'setInterval(() => {}, 1000);'),
    });
    const request = await requestFor(suite);
    let started = 0;
    for await (const event of runSession(request)) {
      if (event.type === 'start') started++;
      if (started === 2) break;
    }
    expect(isRunning(suite.path('g/endless.js'))).toBe(false);
  });
});
