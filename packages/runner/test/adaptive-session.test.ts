import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { drawnOrder, subjectOrders } from '@bench-cli/results/recording';
import { type CompareOptions, compare, resumeSession, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { type NoisyRates, noisySubjects, noisySuite } from '../../../test/support/noisy-suite.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { eventsIn, executedRuns } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

async function comparison(
  configurations: Readonly<Record<string, NoisyRates>>,
  options: Partial<CompareOptions> = {},
  files = 1,
) {
  using suite = noisySuite(configurations, files);
  const out = suite.path('results.jsonl');
  const events: SessionEvent[] = [];
  const result = await compare({
    ...noisySubjects(out),
    scripted: suite.scripted,
    items: ['all'],
    cwd: suite.directory,
    out,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const verdicts = result.comparisons.map(({ configuration, verdict, comparison: { reason } }) => [
    configuration['kind'],
    verdict,
    reason,
  ]);
  const runs = executedRuns(events);
  return { ...result, events, verdicts, runs };
}

describe('an adaptive comparison', () => {
  it('stops a clear difference as soon as ranks support it, gives up what more runs would not decide, and yields one decision for each', async () => {
    const { verdicts, comparisons, events } = await comparison({
      clear: { ratio: 2, noise: 0.01 },
      same: { ratio: 1, noise: 0.01 },
      small: { ratio: 1.04, noise: 0.02 },
      wild: { ratio: 1, noise: 0.3 },
    });
    expect(verdicts).toEqual([
      ['clear', 'faster', 'difference'],
      ['same', 'no difference', 'equivalence'],
      ['small', 'faster', 'difference'],
      ['wild', 'undecided', 'futility'],
    ]);
    const [clear = 0, ...others] = comparisons.map(({ runs }) => runs.new.length);
    // The evidence of five pairs is too weak, however clear they are.
    expect(clear).toBeLessThan(others[1] ?? 0);
    expect(Math.min(clear, ...others)).toBeGreaterThan(5);
    expect(Math.max(...others)).toBeLessThan(36);
    const decisions = events.flatMap((event) => (event.type === 'decision' ? [event.decision] : []));
    const decided = decisions.map(({ configuration, judgement }) => [
      configuration['kind'],
      judgement.reason,
    ]);
    expect(decided.toSorted()).toEqual(verdicts.map(([kind, , reason]) => [kind, reason]));
  });

  it('runs rounds over all files in drawn order, with the subjects of a case one right after the other', async () => {
    const wild = { wild: { ratio: 1, noise: 0.3 } };
    const { runs, session } = await comparison(wild, { runs: { maxRuns: 8 } }, 2);
    const { seed } = session.request;
    const configuration = { n: 1, kind: 'wild' };
    const cases = ['g/0.js', 'g/1.js'].map((benchmark) => ({ benchmark, configuration }));
    const drawn = (round: number) =>
      drawnOrder(cases, seed, () => round).flatMap((each) =>
        subjectOrders(['old', 'new'], seed, each)(round).map((name) => `${each.benchmark} ${name} ${round}`),
      );
    expect(runs.map(({ benchmark: name, subject, round }) => `${name} ${subject} ${round}`)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap(drawn),
    );
  });

  it('draws another order each time', async () => {
    const seeds = Array.from({ length: 2 }, async () => (await comparison({})).session.request.seed);
    const [seed, other] = await Promise.all(seeds);
    expect(other).not.toBe(seed);
  });

  it('begins no pair after the time limit, and warns about open cases', async () => {
    const rates = { close: { ratio: 1.03, noise: 0.02 }, other: { ratio: 1, noise: 0.02 } };
    const { runs, warnings, verdicts } = await comparison(rates, { runs: { budgetMs: 1 } });
    const spentMs = (of: typeof runs) => of.reduce((sum, { durationMs }) => sum + durationMs, 0);
    expect(spentMs(runs)).toBeGreaterThanOrEqual(1);
    expect(spentMs(runs.slice(0, -2))).toBeLessThan(1);
    // Others can load the machine meanwhile, and the first run shows how short the time is.
    const own = warnings.filter((text) => !/^the (machine|time limit is)/.test(text));
    expect(own).toEqual([expect.stringMatching(/\b2 of 2\b.*--budget/)]);
    const [[, verdict, stopped] = []] = verdicts;
    expect([verdict, stopped]).toEqual(['undecided', 'out-of-time']);
  });

  it('compares any number of subjects with the first one', async () => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
    const named = (name: string, speed: string) => ({ name, request: { env: { SPEED: speed } } });
    const { comparisons, names, list } = await compare({
      subjects: [named('c', '2'), named('a', '2'), `b=${process.execPath},env=SPEED=3`],
      items: ['all'],
      cwd: suite.directory,
      runs: 8,
      allowSame: true,
      scripted: scriptedRates(({ env }) => Number(env['SPEED'])),
    });
    expect([...names.keys()]).toEqual(['c', 'a', 'b']);
    expect(
      comparisons.map(({ baseline, subject, verdict, runs }) => [
        ...[baseline, subject, verdict],
        ...new Set(runs.new.map(({ values }) => values.rate)),
      ]),
    ).toEqual([
      ['c', 'a', 'undecided', 2],
      ['c', 'b', 'faster', 3],
    ]);
    expect(Object.values(list.ties)).toEqual([[['c', 'a']]]);
  });

  it.each([
    [{ subjects: ['node'] }, 'OPTION'],
    [{ subjects: ['node', 'node'], old: 'node' }, 'OPTION_CONFLICT'],
  ])('refuses subjects that leave open what is compared: %j', async (options, code) => {
    await expect(compare({ items: ['all'], ...options })).rejects.toEqual(errorWith(code));
  });
});

it('an interrupted adaptive comparison resumes with the same runs and decisions, wherever it was interrupted', async () => {
  using suite = noisySuite({ clear: { ratio: 1.5, noise: 0.02 }, same: { ratio: 1, noise: 0.008 } });
  const out = suite.path('results.jsonl');
  const options = { subjects: noisySubjects(out), scripted: suite.scripted, runs: 'auto', out } as const;
  const whole = await eventsIn(suite, options);
  const lines = readFileSync(out, 'utf8').split('\n');
  copyFileSync(out, suite.path('whole.jsonl'));
  for (const kept of [1, 8, lines.length - 2]) {
    const torn = (lines[kept] ?? '').slice(0, 20);
    writeFileSync(out, `${lines.slice(0, kept).join('\n')}\n${torn}`);
    const continued = await Array.fromAsync(resumeSession(out, { scripted: suite.scripted }));
    expect(continued.map(outline).filter(Boolean)).toEqual(whole.map(outline).filter(Boolean));
  }
});

/** The parts of an event that do not depend on the time. */
function outline(event: SessionEvent): unknown {
  if (event.type === 'decision') return event;
  if (event.type !== 'run' || event.record.status !== 'ok') return undefined;
  const { configuration, subject, round, values } = event.record;
  return { configuration, subject, round, values };
}

it('adaptive runs of one subject continue until the rate has the required precision', async () => {
  using suite = noisySuite({ quiet: { ratio: 1, noise: 0.002 }, loud: { ratio: { old: 2 }, noise: 0.03 } });
  const out = suite.path('results.jsonl');
  const { old } = noisySubjects(out);
  const judgements: Record<string, unknown> = {};
  const session = { subjects: { node: old }, scripted: suite.scripted, runs: { margin: 0.02 }, out };
  for (const event of await eventsIn(suite, session)) {
    if (event.type !== 'decision' || !('mean' in event.decision.judgement)) continue;
    const { runs, reason, mean } = event.decision.judgement;
    judgements[String(event.decision.configuration['kind'])] = { runs, reason };
    expect(mean === null ? 0 : mean.high / mean.rate).toBeLessThanOrEqual(1.02);
  }
  expect(judgements).toEqual({
    quiet: { runs: 11, reason: 'precision' },
    loud: { runs: 12, reason: 'precision' },
  });
});
