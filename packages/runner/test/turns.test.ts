import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunRecord, readRecording } from '@bench-cli/results/recording';
import { resumeSession, runSession, type SessionEvent } from '@bench-cli/runner';
import { platform } from '@bench-cli/system';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { isRunning, mark } from '../../../test/support/processes.ts';
import { orderedSampling, scriptedRates } from '../../../test/support/scripted-rates.ts';
import { eventsIn, requestIn } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { Supervisor } from '../dist/process/supervisor.js';
import { type Slices, Turn, Turns, turnsCpu } from '../dist/process/turns.js';
import { stopsClocks } from '../dist/suite/script.js';
import { measuredNs, processInTurns, rateOf, send } from './process-in-turns.ts';

// What is measured in turns is in turns.measured.test.ts.
const supervisor = new Supervisor();
afterAll(() => supervisor.close());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the signals to processes in turns', () => {
  /** Starts to take turns, of processes that do not exist. Notes their signals, with the times of a clock that the test sets. */
  function begin(size: number, slices?: Slices) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
    const signals: { readonly name: string; readonly group: number; readonly atMs: number }[] = [];
    vi.spyOn(platform, 'signalGroup').mockImplementation((group, name) => {
      signals.push({ name, group, atMs: Number(process.hrtime.bigint()) / 1e6 });
    });
    const turns = new Turns(size, slices);
    const started = Array.from({ length: size }, (_, at) => {
      const file = join(supervisor.directory, `stopped-${at}`);
      return { file, group: 2 ** 30 + at, turn: new Turn(file) };
    });
    for (const { turn, group } of started) turns.add(turn, group);
    return { signals, turns, started };
  }

  it.each([
    [2, undefined, [8, 12]],
    [3, undefined, [8, 12]],
    [2, 'long', [40, 60]],
  ] as const)(
    'let one of %i run at a time, in their order, each for a drawn time (%s slices)',
    (size, kind, [least, most]) => {
      const { signals, started } = begin(size, kind);
      vi.advanceTimersByTime(100 * most);
      const [stops, slices] = [signals.slice(0, size), signals.slice(size)];
      expect(stops.map(({ name, group }) => [name, group])).toEqual(
        started.map(({ group }) => ['SIGSTOP', group]),
      );
      expect(slices.length).toBeGreaterThan(100);
      expect(slices.map(({ name, group }) => [name, group])).toEqual(
        slices.map((_, at) => [
          at % 2 === 0 ? 'SIGCONT' : 'SIGSTOP',
          started[Math.floor(at / 2) % size]?.group,
        ]),
      );
      const [first] = slices;
      // A process is stopped for at least 6 ms.
      expect((first?.atMs ?? 0) - (stops[0]?.atMs ?? 0)).toBe(6);
      const lengths = slices.map(({ atMs }, at) =>
        at % 2 === 0 ? least : atMs - (slices[at - 1]?.atMs ?? 0),
      );
      expect(lengths.filter((ms) => ms < least || ms > most)).toEqual([]);
      expect(new Set(lengths).size).toBeGreaterThan(1);
      for (const { file, group } of started) {
        const own = signals.filter((signal) => signal.group === group);
        const stoppedMs = own.reduce(
          (sum, { name, atMs }, at) => sum + (name === 'SIGCONT' ? atMs - (own[at - 1]?.atMs ?? 0) : 0),
          0,
        );
        expect(readFileSync(file).readBigUInt64LE()).toBe(BigInt(stoppedMs * 1e6));
      }
    },
  );

  it('let the next one run when one ends, and do not stop the last one', () => {
    const { signals, turns, started } = begin(3);
    vi.advanceTimersByTime(100);
    for (const left of [2, 1]) {
      const ended = started.find(({ group }) => group === signals.at(-1)?.group);
      signals.length = 0;
      if (ended !== undefined) turns.end(ended.turn);
      vi.advanceTimersByTime(6);
      expect(signals).toMatchObject([{ name: 'SIGCONT' }]);
      vi.advanceTimersByTime(1000);
      expect(signals.length > 1).toBe(left > 1);
      expect(signals.map(({ group }) => group)).not.toContain(ended?.group);
    }
  });
});

/** A process that is not stopped: this one. It begins again if others have the CPU meanwhile. */
function continuedByOthers(turn: Turn): void {
  const ranNs = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]);
  for (let share = 0; share < 1 / 4; ) {
    turn.begin(process.pid);
    const before = ranNs();
    while (turn.stoppedForMs < 20 && share < 1 / 4) share = (ranNs() - before) / (turn.stoppedForMs * 1e6);
  }
  turn.continue();
}

describe.runIf(turnsCpu(undefined) !== undefined)('processes in turns', () => {
  it.each([
    { ran: 2, stopped: 0, fails: false },
    { ran: 3, stopped: 0, fails: true },
    { ran: 3, stopped: 8, fails: true },
    { ran: 3, stopped: 9, fails: false },
    { ran: 4, stopped: 12, fails: false },
  ])('fail if others continue them at least thrice, and in more than a quarter of their stops: %o', (row) => {
    vi.spyOn(platform, 'signalGroup').mockImplementation(() => {});
    const turn = new Turn(join(supervisor.directory, 'turn'));
    for (let at = 0; at < row.ran; at++) continuedByOthers(turn);
    for (let at = 0; at < row.stopped; at++) {
      turn.begin(2 ** 30);
      turn.continue();
    }
    expect(turn.ranWhileStopped).toBe(row.fails);
  });

  const { signal } = new AbortController();
  const request = (script: string, command?: string) => processInTurns(script, command);

  it('go on when another one has ended, failed or could not be started', async () => {
    const busy = `const began = performance.now(); while (performance.now() - began < 60); ${send('1')}`;
    const [exiting, sending] = [request('process.exit(7)'), request(send('2'))];
    const requests = [request(busy), exiting, sending, request('', '/nowhere/node')];
    const outcomes = await supervisor.runInTurns(requests, signal);
    const ends = outcomes.map((outcome) => outcome.failure?.kind ?? rateOf(outcome));
    expect(ends).toEqual([1, 'exit', 2, 'not started']);
  });

  it('are killed when the session is aborted, also those that are stopped', async () => {
    const controller = new AbortController();
    const seconds = mark(71);
    const endless = () => request(`globalThis.mark = '${seconds}'; for (;;);`);
    const ended = supervisor.runInTurns([endless(), endless()], controller.signal);
    await expect.poll(() => isRunning(seconds)).toBe(true);
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    expect(isRunning(seconds)).toBe(false);
  });

  it('have a time limit that counts for each', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const limited = ['for (;;);', send('1')].map((script) => ({ ...request(script), timeoutMs: 600_000 }));
    const ended = supervisor.runInTurns(limited, signal);
    const timersLater = (ms: number) => {
      vi.advanceTimersByTime(ms);
      return vi.getTimerCount();
    };
    // When the second one has ended, only the limit of the first one is left.
    await expect.poll(() => timersLater(10)).toBe(1);
    expect(timersLater(600_000)).toBe(1);
    expect(timersLater(600_000)).toBe(0);
    vi.useRealTimers();
    const outcomes = await ended;
    expect(outcomes.map((outcome) => outcome.failure ?? rateOf(outcome))).toEqual([
      expect.objectContaining({ kind: 'timeout', message: expect.stringContaining(' 600 s ') }),
      1,
    ]);
  });

  it('have no threads in the kernel that keep the shared CPU busy', async () => {
    const own = request(send("Number(process.env.UV_USE_IO_URING === '0')"));
    const [outcome] = await supervisor.runInTurns([own], signal);
    expect(outcome?.failure).toBeUndefined();
    expect(outcome && rateOf(outcome)).toBe(1);
  });
});

it.each([
  ['node', '18.19.0', [], true],
  ['node', '26.10.0', ['--permission'], false],
  ['bun', '1.2.23', [], false],
  ['bun', '1.3.0', [], true],
  ['deno', '2.3.7', [], false],
  ['deno', '2.4.0', [], true],
] as const)('the clocks of %s %s with the flags %j can be stopped: %j', (name, version, flags, expected) => {
  const runtime = { name, version, arch: 'x64', platform: 'linux' };
  expect(stopsClocks({ name: 'old', label: name, executable: name, env: {}, flags, runtime })).toBe(expected);
});

describe.runIf(turnsCpu(undefined) !== undefined)('a session with turns', () => {
  const subjects = { old: {}, new: { env: { A: '1' } } };
  /** To a look, the process is busy, whatever else the machine does. Its runs are too short for their rates to decide. */
  const busy = benchmark('{}', measuredNs(1e3), {
    head: `import v8 from 'node:v8';
      performance.eventLoopUtilization = () => ({ idle: 0 });
      v8.GCProfiler.prototype.stop = () => ({ statistics: [{ cost: 1e8 }] });`,
  });
  const recordsOf = (events: Awaited<ReturnType<typeof eventsIn>>) =>
    events.flatMap((event) => (event.type === 'run' ? event.record : []));

  it('goes on in turns where it was interrupted', async () => {
    using suite = temporarySuite({ 'g/busy.mjs': busy });
    const out = suite.path('results.jsonl');
    const runs = recordsOf(await eventsIn(suite, { subjects, runs: 6, out }));
    const ways = (of = runs) => of.map(({ kind, round, inTurns }) => `${kind} ${round} ${inTurns}`);
    const rates = [0, 1, 2, 3, 4, 5].flatMap((round) => Array(2).fill(`rate ${round} true`));
    expect(ways()).toEqual([...Array(2).fill('look 0 undefined'), ...rates]);
    const lines = readFileSync(out, 'utf8').split('\n');
    // Without the last line of the fifth round, and what follows.
    const twelfth = lines.filter((line) => line.startsWith('{"type":"run"'))[11] ?? '';
    writeFileSync(out, `${lines.slice(0, lines.indexOf(twelfth)).join('\n')}\n`);
    const resumed = recordsOf(await Array.fromAsync(resumeSession(out)));
    expect(resumed.slice(0, 11)).toEqual(runs.slice(0, 11));
    expect(ways(resumed)).toEqual(ways());
    expect(readRecording(out)).toMatchObject({ ended: true, repeated: 0 });
  });

  const sampled = 'return bench.measure(() => {}, { durationMs: 60 });';
  const busyNow = { busy: 1, otherThreads: 0, collecting: 0, heapBytes: 5e6 };
  const runsInTurns = [...Array(2).fill('look undefined'), ...Array(4).fill('rate true')];
  const runsAlone = Array(4).fill('rate undefined');

  it.each([
    ['looks with short runs at planned code that is busy', sampled, busyNow, runsInTurns],
    [
      'looks so at planned code that waits',
      sampled,
      { ...busyNow, busy: 0.05 },
      [...runsInTurns.slice(0, 2), ...runsAlone],
    ],
    [
      'has no look besides at other code that waits',
      'bench.start(); bench.end(1);',
      { ...busyNow, busy: 0.05 },
      runsAlone,
    ],
  ])('%s, and at no more when it was interrupted', async (_what, body, activity, expected) => {
    using suite = temporarySuite({ 'g/a.mjs': benchmark('{ n: [1] }', body) });
    const scripted = scriptedRates(({ order }) => ({
      rate: 1000,
      activity,
      sampling: body === sampled ? orderedSampling(order) : undefined,
    }));
    /** The runs until two rounds have been recorded, as a process that is killed then leaves them. */
    const firstRuns = async (session: AsyncIterable<SessionEvent>) => {
      const runs: RunRecord[] = [];
      for await (const event of session) {
        if (event.type === 'run') runs.push(event.record);
        if (runs.length === expected.length) break;
      }
      return runs;
    };
    const ways = (runs: readonly RunRecord[]) => runs.map((run) => `${run.kind} ${run.inTurns}`);
    const out = suite.path('results.jsonl');
    const request = await requestIn(suite, { subjects, runs: {}, allowSame: true });
    const runs = await firstRuns(runSession(request, { out, scripted }));
    expect(ways(runs)).toEqual(expected);
    const samplings = runs.map((run) => (run.status === 'ok' ? run.sampling : undefined));
    if (samplings[0] !== undefined) {
      expect(samplings.slice(0, 2)).toEqual(Array(2).fill({ warmUpMs: 100, measuredMs: 50 }));
      expect(samplings.slice(2, 4)).toEqual(Array(2).fill(orderedSampling('pilot')));
    }
    const lines = readFileSync(out, 'utf8').split('\n');
    const runLines = lines.filter((line) => line.startsWith('{"type":"run"'));
    for (const recorded of [1, 3]) {
      writeFileSync(out, `${lines.slice(0, lines.indexOf(runLines[recorded] ?? '')).join('\n')}\n`);
      const resumed = await firstRuns(resumeSession(out, { scripted }));
      expect(ways(resumed)).toEqual(expected);
      expect(resumed.slice(0, recorded)).toEqual(runs.slice(0, recorded));
    }
  });

  it('with fewer than six fixed runs measures one after the other, without a look', async () => {
    using suite = temporarySuite({ 'g/busy.mjs': busy });
    const scripted = scriptedRates(() => ({ rate: 1000, activity: busyNow }));
    const runs = recordsOf(await eventsIn(suite, { subjects, runs: 5, scripted }));
    expect(runs.map(({ kind, inTurns }) => `${kind} ${inTurns}`)).toEqual(Array(10).fill('rate undefined'));
  });
});
