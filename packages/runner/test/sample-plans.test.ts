import { readFileSync, writeFileSync } from 'node:fs';
import { type RunRecord, readRecording, type SucceededRun } from '@bench-cli/results/recording';
import { resumeSession } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { orderedSampling, scriptedRates, windows } from '../../../test/support/scripted-rates.ts';
import { eventsIn, runsOf, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { samplePlans } from '../src/task/sample-plans.ts';

const scheduled = { benchmark: 'g/a.js', configuration: { n: 1 } };
const runOf = (subject: string, round: number, more: Partial<SucceededRun>): SucceededRun => ({
  ...{ type: 'run', status: 'ok', kind: 'rate', ...scheduled, subject, round, time: '1' },
  ...{ startedAt: '2026-01-01T00:00:00Z', durationMs: 1330, values: { rate: 1 }, ...more },
});

const samplingOf = (run: RunRecord) => (run.status === 'ok' ? run.sampling : undefined);

describe('the samples of an adaptive comparison', () => {
  let runs = 0;
  const scripted = scriptedRates(({ order }) => ({
    rate: 1e6 + (runs++ % 7) * 1e4,
    sampling: orderedSampling(order),
  }));
  const subjects = { old: {}, new: { env: { OTHER: '1' } } };
  const defaults: SessionOptions = { subjects, runs: { maxRuns: 8 }, allowSame: true, scripted };
  const files = { 'g/a.js': benchmark('{ n: 1 }') };

  it('are planned by a first round, alike for both subjects, with the declared time as the limit', async () => {
    using suite = temporarySuite(files);
    const [first, second, ...others] = runsOf(await eventsIn(suite, defaults)).map(samplingOf);
    expect([first?.pilot, second?.pilot]).toMatchObject([{ longestMs: 30 }, { longestMs: 30 }]);
    const plans = new Set(others.slice(0, 6).map((sampling) => JSON.stringify(sampling)));
    expect(Array.from(plans, (text) => JSON.parse(text))).toEqual([
      { warmUpMs: expect.any(Number), measuredMs: 30 },
    ]);
  });

  it.each<[string, SessionOptions]>([
    ['with the option', { declaredTimes: true }],
    ['with a number of runs', { runs: 2 }],
  ])('are those that are declared %s', async (_which, options) => {
    using suite = temporarySuite(files);
    const samplings = runsOf(await eventsIn(suite, { ...defaults, ...options })).map(samplingOf);
    expect(new Set(samplings)).toEqual(new Set([undefined]));
  });

  it('have the same plan when the session is resumed', async () => {
    using suite = temporarySuite(files);
    const out = suite.path('results.jsonl');
    const whole = runsOf(await eventsIn(suite, { ...defaults, out }));
    expect(readRecording(out).runs).toEqual(whole);
    // It ends in the middle of the second round.
    const lines = readFileSync(out, 'utf8').split('\n');
    const third = lines.findIndex((_, at) => lines.slice(0, at).join().split('"type":"run"').length === 4);
    writeFileSync(out, `${lines.slice(0, third).join('\n')}\n`);
    const resumed = runsOf(await Array.fromAsync(resumeSession(out, { scripted })));
    expect(resumed).toHaveLength(16);
    expect(resumed.map(samplingOf)).toEqual(whole.map(samplingOf));
  });
});

describe('the second plan', () => {
  /** The plans of the rounds 3 and 4 if the new side of each round is so many times as fast as the old one. */
  function plansWith(ratios: readonly number[], inTurns?: true, newProcessMs = 80) {
    const plans = samplePlans(['old', 'new'], 0.02, () => {});
    for (const [round, ratio] of ratios.entries()) {
      for (const subject of ['old', 'new']) {
        plans.take(
          runOf(subject, round, {
            ...(inTurns && { inTurns }),
            durationMs: 1250 + (subject === 'new' ? newProcessMs : 80),
            values: { rate: subject === 'new' ? ratio : 1 },
            sampling: {
              ...{ warmUpMs: 1000, measuredMs: 250 },
              ...(round === 0 && { pilot: { longestMs: 1000, windows } }),
            },
          }),
        );
      }
    }
    const planOf = (round: number) => {
      const plan = plans.of(scheduled, ['old', 'new'], round);
      if (typeof plan !== 'object') throw new Error('there is no plan');
      return plan;
    };
    return [planOf(3), planOf(4)] as const;
  }

  it('measures shorter than the first one if processes differ more than was assumed', () => {
    const [first, second] = plansWith([1, 1.5, 0.7, 1.3]);
    expect(second.measuredMs).toBeLessThan(first.measuredMs);
  });

  it.each([
    [3, 3.03, 2.97, 3],
    [1 / 3, 1 / 2.97, 1 / 3.03, 1 / 3],
  ])('measures shorter, after the same warm-up, if one side is much faster: %s, %s, %s, %s', (...ratios) => {
    const near = plansWith([1, 1.01, 0.99, 1]);
    for (const [at, plan] of plansWith(ratios).entries()) {
      const former = near[at];
      expect(plan.measuredMs).toBeLessThan(former?.measuredMs ?? 0);
      expect(plan.warmUpMs).toBe(former?.warmUpMs);
    }
  });

  it('measures longer if one side takes long to start', () => {
    const [first] = plansWith([1.5, 1.5, 1.5, 1.5], undefined, 2000);
    const [soon] = plansWith([1.5, 1.5, 1.5, 1.5]);
    expect(first.measuredMs).toBeGreaterThan(soon.measuredMs);
  });

  it('measures shorter in turns, where both sides share most of the noise', () => {
    const [first] = plansWith([1, 1.01, 0.99, 1], true);
    const [alone] = plansWith([1, 1.01, 0.99, 1]);
    expect(first.measuredMs).toBeLessThan(alone.measuredMs);
  });
});

it.each([
  [10, undefined],
  [20, 'pilot'],
])('beside a failed run, a pilot of %i windows shows whether there can be a plan', (count, order) => {
  const plans = samplePlans(['old', 'new'], 0.02, () => {});
  const pilot = { longestMs: 100, windows: windows.slice(0, count) };
  plans.take(runOf('old', 0, { sampling: { warmUpMs: 50, measuredMs: 100, pilot } }));
  expect([0, 1].map((round) => plans.of(scheduled, ['old', 'new'], round))).toEqual(['pilot', order]);
});

describe.each([
  ['the ratio of the subjects', ['old', 'new']],
  ['the rate of an only subject', ['new']],
])('a plan that changes %s', (_of, sides) => {
  /** The orders of six rounds, in which the new side becomes three times as fast at these times, and the cases that are given up. */
  function ordersOf(fasterAtMs: readonly number[]) {
    const givenUp: unknown[] = [];
    const plans = samplePlans(sides, 0.02, (each) => givenUp.push(each));
    const orders = Array.from({ length: 6 }, (_, round) => {
      const order = plans.of(scheduled, sides, round);
      for (const subject of sides) {
        const rateAt = (ms: number) =>
          subject === 'new' && ms >= (fasterAtMs[round] ?? Infinity) ? 3e6 : 1e6;
        const trace = Array.from({ length: 83 }, (_, at) => [15 * (at + 1), rateAt(15 * at)] as const);
        const pilot = order === 'pilot' && { pilot: { longestMs: 1000, windows: trace } };
        const sampling = { warmUpMs: 250, measuredMs: 1000, ...pilot };
        plans.take(runOf(subject, round, { inTurns: true, sampling }));
      }
      return order === 'pilot' || order === undefined ? order : 'plan';
    });
    return { orders, givenUp };
  }

  const planned = Array(4).fill('plan');

  it.each([
    ['is given up if two pilots show it', [300, 300], ['pilot', 'pilot', ...Array(4).fill(undefined)], 1],
    ['stays if the second pilot shows no change', [300], ['pilot', 'pilot', ...planned], 0],
    ['needs no second pilot without a change', [], ['pilot', 'plan', ...planned], 0],
  ])('%s', (_what, fasterAtMs, orders, count) => {
    expect(ordersOf(fasterAtMs)).toEqual({ orders, givenUp: Array(count).fill(scheduled) });
  });
});
