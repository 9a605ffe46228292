import { afterAll, describe, expect, it, vi } from 'vitest';
import { continueRunning, isRunning, mark } from '../../../test/support/processes.ts';
import { Supervisor } from '../dist/process/supervisor.js';
import { turnsCpu } from '../dist/process/turns.js';
import { turnsProbe } from '../dist/suite/script.js';

const supervisor = new Supervisor();
afterAll(() => supervisor.close());

/** Sends a result, whose rate is what the script has computed. */
const send = (rate: string) =>
  `fs.writeSync(3, JSON.stringify({ type: 'report', name: 'x', conf: {}, rate: ${rate}, time: '1' }) + '\\n');`;

function requestOf(script: string, command = process.execPath) {
  const args = ['--require', turnsProbe().file, '-e', script];
  return { command, args, env: process.env, channel: 'pipe', timeoutMs: 0 } as const;
}

const runInTurns = (...scripts: readonly string[]) =>
  supervisor.runInTurns(
    scripts.map((script) => requestOf(script)),
    new AbortController().signal,
  );

const rateOf = ({ messages }: Awaited<ReturnType<typeof runInTurns>>[number]) =>
  messages.flatMap((message) => (message.type === 'report' ? message.rate : []))[0];

describe.runIf(turnsCpu(undefined) !== undefined)('processes in turns', () => {
  // Date is the clock that goes on: half of the time, the other process runs.
  it.each([
    ['process.hrtime.bigint()', 'Number(process.hrtime.bigint()) / 1e6'],
    ['process.hrtime()', '(([s, ns]) => s * 1e3 + ns / 1e6)(process.hrtime())'],
    ['process.hrtime(former)', '(([s, ns]) => s * 1e3 + ns / 1e6)(process.hrtime([0, 0]))'],
    ['performance.now()', 'performance.now()'],
    ["require('node:perf_hooks')", "require('node:perf_hooks').performance.now()"],
  ])('have clocks that stand still while the process is stopped: %s', async (_, now) => {
    const script = `
      const now = () => ${now};
      const [began, beganAt] = [now(), Date.now()];
      while (now() - began < 150);
      ${send('(Date.now() - beganAt) / (now() - began)')}`;
    const outcomes = await runInTurns(script, script);
    for (const outcome of outcomes) {
      expect(outcome.failure).toBeUndefined();
      expect(rateOf(outcome)).toBeGreaterThan(1.3);
    }
  });

  it('go on when another one has ended, failed or could not be started', async () => {
    const busy = `const began = performance.now(); while (performance.now() - began < 60); ${send('1')}`;
    const requests = [
      requestOf(busy),
      requestOf('process.exit(7)'),
      requestOf(send('2')),
      requestOf('', '/nowhere/node'),
    ];
    const outcomes = await supervisor.runInTurns(requests, new AbortController().signal);
    expect(outcomes.map((outcome) => outcome.failure?.kind ?? rateOf(outcome))).toEqual([
      1,
      'exit',
      2,
      'not started',
    ]);
  });

  it('are killed when the session is aborted, also those that are stopped', async () => {
    const controller = new AbortController();
    const seconds = mark(71);
    const request = requestOf(`globalThis.mark = '${seconds}'; for (;;);`);
    const ended = supervisor.runInTurns([request, request], controller.signal);
    await vi.waitFor(() => expect(isRunning(seconds)).toBe(true));
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    expect(isRunning(seconds)).toBe(false);
  });

  it('have a time limit that counts for each', async () => {
    const limited = ['for (;;);', send('1')].map((script) => ({ ...requestOf(script), timeoutMs: 300 }));
    const outcomes = await supervisor.runInTurns(limited, new AbortController().signal);
    expect(outcomes.map((outcome) => outcome.failure?.kind ?? rateOf(outcome))).toEqual(['timeout', 1]);
  });

  it('fail if something continues them in the turns of others', async () => {
    const busy = `const began = performance.now(); while (performance.now() - began < 400); ${send('1')}`;
    const seconds = mark(72);
    const ended = runInTurns(`globalThis.mark = '${seconds}'; ${busy}`, busy);
    const timer = setInterval(() => continueRunning(seconds), 1);
    const [disturbing, disturbed] = await ended;
    clearInterval(timer);
    expect(disturbing?.failure?.kind).toBe('did not stop');
    expect(disturbed?.failure).toBeUndefined();
  });
});
