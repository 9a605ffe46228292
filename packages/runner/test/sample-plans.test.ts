import { readFileSync, writeFileSync } from 'node:fs';
import { type RunRecord, readRecording, type SucceededRun } from '@bench-cli/results/recording';
import { resumeSession, runSession, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { eventsIn, requestIn, runsOf, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { samplePlans } from '../src/task/sample-plans.ts';

/** Waits for a millisecond or more, and leaves the processor to others. */
const wait = 'await new Promise((resolve) => setTimeout(resolve, 1));';

const subjects = { old: {}, new: { env: { OTHER: '1' } } };
const defaults: SessionOptions = { subjects, runs: { maxRuns: 8 }, allowSame: true };

async function sampled(files: Readonly<Record<string, string>>, options: SessionOptions = {}) {
  using suite = temporarySuite(files);
  const events: SessionEvent[] = [];
  for await (const event of runSession(await requestIn(suite, { ...defaults, ...options }))) {
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
function plansOf(runs: readonly RunRecord[]) {
  const later = runs.filter(({ round }) => round > 0 && round < 4);
  const texts = later.map((run) => (run.status === 'ok' ? JSON.stringify(run.sampling) : 'null'));
  return [...new Set(texts)].map((text) => (text === undefined ? undefined : JSON.parse(text)));
}

describe('the samples of an adaptive comparison', () => {
  it('are planned by a first round, alike for both subjects, with the declared time as the limit', async () => {
    const runs = await sampled({
      'g/a.js': benchmark('{ n: 1 }', `return bench.measure(async () => { ${wait} }, { durationMs: 30 });`),
    });
    const pilots = runs.filter(({ round }) => round === 0);
    expect(pilots.map(({ sampling }) => sampling?.pilot?.longestMs)).toEqual([30, 30]);
    expect(pilots.map(({ warmUp }) => warmUp !== undefined)).toEqual([true, true]);
    const plans = plansOf(runs);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toEqual({ warmUpMs: expect.any(Number), measuredMs: 30 });
  });

  it.each([
    [
      'tinybench',
      `import { Bench } from 'tinybench';
new Bench({ time: 30 }).add('task', async () => { ${wait} }).run();`,
    ],
    [
      'vitest',
      `import { bench } from 'vitest';
bench('task', async () => { ${wait} }, { time: 30, iterations: 5 });`,
    ],
  ])('have the time of a file of %s as a limit', async (_tool, source) => {
    const plans = plansOf(await sampled({ 'g/a.bench.mjs': source }));
    expect(plans).toEqual([{ warmUpMs: expect.any(Number), measuredMs: 30 }]);
  });

  it.each([
    ['with the option', { declaredTimes: true }, `bench.measure(async () => { ${wait} }, { durationMs: 5 })`],
    ['with a number of runs', { runs: 2 }, `bench.measure(async () => { ${wait} }, { durationMs: 5 })`],
    ['of other benchmarks', {}, 'bench.report(1000, 1000n)'],
    [
      'of files without a warm-up',
      {},
      `bench.measure(async () => { ${wait} }, { durationMs: 5, warmupMs: 0 })`,
    ],
  ])('are those that are declared %s', async (_which, options, call) => {
    const runs = await sampled({ 'g/a.js': benchmark('{ n: 1 }', `return ${call};`) }, options);
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

  it('have the same plan when the session is resumed', async () => {
    using suite = temporarySuite({
      'g/a.js': benchmark('{ n: 1 }', `return bench.measure(async () => { ${wait} }, { durationMs: 100 });`),
    });
    const out = suite.path('results.jsonl');
    const whole = succeeded(await eventsIn(suite, { ...defaults, out }));
    expect(readRecording(out).runs).toEqual(whole);
    const plans = plansOf(whole);
    // After two looks, it ends in the middle of the second round.
    const lines = readFileSync(out, 'utf8').split('\n');
    const third = lines.findIndex((_, at) => lines.slice(0, at).join().split('"type":"run"').length === 6);
    writeFileSync(out, `${lines.slice(0, third).join('\n')}\n`);
    const resumed = succeeded(await Array.fromAsync(resumeSession(out)));
    expect(resumed).toHaveLength(16);
    expect(plans).toHaveLength(1);
    expect(plansOf(resumed)).toEqual(plans);
  });
});

describe('the second plan', () => {
  const scheduled = { benchmark: 'g/a.js', configuration: { n: 1 } };
  /** Noise that lasts for 300 ms, which longer measured parts average out. */
  const windows = Array.from(
    { length: 83 },
    (_, at) => [15 * (at + 1), at % 40 < 20 ? 0.8e6 : 1.2e6] as const,
  );

  /** The plans of the rounds 3 and 4 if the new side of each round is so many times as fast as the old one. */
  function plansWith(ratios: readonly number[], inTurns?: true, newProcessMs = 80) {
    const plans = samplePlans(['old', 'new'], 0.02);
    for (const [round, ratio] of ratios.entries()) {
      for (const subject of ['old', 'new']) {
        plans.take({
          ...{ type: 'run', status: 'ok', ...scheduled, subject, round },
          ...{ kind: 'rate', ...(inTurns && { inTurns }) },
          ...{ startedAt: '2026-01-01T00:00:00Z', time: '1' },
          durationMs: 1250 + (subject === 'new' ? newProcessMs : 80),
          values: { rate: subject === 'new' ? ratio : 1 },
          sampling: {
            warmUpMs: 1000,
            measuredMs: 250,
            ...(round === 0 && { pilot: { longestMs: 1000, windows } }),
          },
        });
      }
    }
    return [3, 4].map((round) => plans.of(scheduled, ['old', 'new'], round));
  }

  it('measures shorter than the first one if processes differ more than was assumed', () => {
    const [first, second] = plansWith([1, 1.5, 0.7, 1.3]);
    if (typeof first !== 'object' || typeof second !== 'object') throw new Error('there is no plan');
    expect(second.measuredMs).toBeLessThan(first.measuredMs);
  });

  it.each([
    [3, 3.03, 2.97, 3],
    [1 / 3, 1 / 2.97, 1 / 3.03, 1 / 3],
  ])('measures shorter, after the same warm-up, if one side is much faster: %s, %s, %s, %s', (...ratios) => {
    const near = plansWith([1, 1.01, 0.99, 1]);
    for (const [at, plan] of plansWith(ratios).entries()) {
      const former = near[at];
      if (typeof plan !== 'object' || typeof former !== 'object') throw new Error('there is no plan');
      expect(plan.measuredMs).toBeLessThan(former.measuredMs);
      expect(plan.warmUpMs).toBe(former.warmUpMs);
    }
  });

  it('measures longer if one side takes long to start', () => {
    const [first] = plansWith([1.5, 1.5, 1.5, 1.5], undefined, 2000);
    const [soon] = plansWith([1.5, 1.5, 1.5, 1.5]);
    if (typeof first !== 'object' || typeof soon !== 'object') throw new Error('there is no plan');
    expect(first.measuredMs).toBeGreaterThan(soon.measuredMs);
  });

  it('measures shorter in turns, where both sides share most of the noise', () => {
    const [first] = plansWith([1, 1.01, 0.99, 1], true);
    const [alone] = plansWith([1, 1.01, 0.99, 1]);
    if (typeof first !== 'object' || typeof alone !== 'object') throw new Error('there is no plan');
    expect(first.measuredMs).toBeLessThan(alone.measuredMs);
  });
});
