import type { SucceededRun } from '@bench-cli/results/recording';
import { runSession, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { requestIn, runsOf, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

/** Waits for a millisecond or more, and leaves the processor to others. */
const wait = 'await new Promise((resolve) => setTimeout(resolve, 1));';

const subjects = { old: {}, new: { env: { OTHER: '1' } } };
const defaults: SessionOptions = { subjects, runs: { maxRuns: 8 }, allowSame: true };

async function sampled(files: Readonly<Record<string, string>>) {
  using suite = temporarySuite(files);
  const events: SessionEvent[] = [];
  for await (const event of runSession(await requestIn(suite, defaults))) {
    events.push(event);
    // Later rounds have the second plan.
    if (event.type === 'run' && event.record.round === 4) break;
  }
  return succeeded(events);
}

function succeeded(events: readonly SessionEvent[]): readonly SucceededRun[] {
  return runsOf(events).map((run) => {
    if (run.status === 'failed') throw new Error(run.failure.message);
    return run;
  });
}

/** The different plans of the rounds between the pilot and the second plan. */
function plansOf(runs: readonly SucceededRun[]) {
  const later = runs.filter(({ round, sampling }) => round > 0 && round < 4 && sampling?.pilot === undefined);
  const texts = later.map(({ sampling }) => JSON.stringify(sampling));
  return [...new Set(texts)].map((text) => (text === undefined ? undefined : JSON.parse(text)));
}

describe('the samples of an adaptive comparison', () => {
  it('have the time of a file of another tool as a limit', async () => {
    const source = `import { bench } from 'vitest';
bench('task', () => { globalThis.sum = Math.sqrt(2); }, { time: 30, iterations: 5, warmupTime: 250 });`;
    // A pilot says how long a plan may measure. Whether a plan is kept depends on the noise of the machine.
    const pilots = (await sampled({ 'g/a.bench.mjs': source })).filter(({ round }) => round === 0);
    expect(pilots.map(({ sampling }) => sampling)).toEqual(
      pilots.map(() =>
        expect.objectContaining({ measuredMs: 30, pilot: expect.objectContaining({ longestMs: 30 }) }),
      ),
    );
  });

  it.each([
    ['of other benchmarks', 'bench.report(1000, 1000n)'],
    ['of files without a warm-up', `bench.measure(async () => { ${wait} }, { durationMs: 5, warmupMs: 0 })`],
  ])('are those that are declared %s', async (_which, call) => {
    const runs = await sampled({ 'g/a.js': benchmark('{ n: 1 }', `return ${call};`) });
    expect(new Set(runs.map(({ sampling }) => sampling))).toEqual(new Set([undefined]));
  });

  it('are those that are declared if an operation is too long for a plan', async () => {
    const runs = await sampled({
      'g/a.js': benchmark(
        '{ n: 1 }',
        'return bench.measure(() => new Promise((resolve) => setTimeout(resolve, 40)), { durationMs: 5 });',
      ),
    });
    expect(runs.map(({ sampling }) => sampling?.pilot)).toEqual(runs.map(() => undefined));
    expect(plansOf(runs)).toEqual([undefined]);
  });
});
