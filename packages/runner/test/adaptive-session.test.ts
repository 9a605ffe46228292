import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type NoisyRates, noisySubjects, noisySuite } from '../../../test/support/noisy-suite.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import {
  type CompareOptions,
  compare,
  createRequest,
  type RequestOptions,
  resumeSession,
  runSession,
  type SessionEvent,
} from '../dist/index.js';

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
    items: ['all'],
    cwd: suite.directory,
    out,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const verdicts = result.comparisons.map(({ configuration, verdict, statistics }) => {
    return [configuration['kind'], verdict, statistics.sequential?.stopped];
  });
  const runs = events.flatMap((event) => (event.type === 'run' ? [event.record] : []));
  return { ...result, events, verdicts, runs };
}

describe('a comparison that ends when it knows', () => {
  it('stops a clear difference at the first look and goes on with what is open', async () => {
    const { verdicts, comparisons } = await comparison({
      clear: { ratio: 2, noise: 0.01 },
      same: { ratio: 1, noise: 0.01 },
      small: { ratio: 1.04, noise: 0.02 },
    });
    expect(verdicts).toEqual([
      ['clear', 'faster', 'difference'],
      ['same', 'no difference', 'equivalence'],
      ['small', 'faster', 'difference'],
    ]);
    const [clear, same, small] = comparisons.map(({ runs }) => runs.new.length);
    expect(clear).toBe(3);
    expect(small).toBeGreaterThan(3);
    expect(same).toBeGreaterThan(3);
    expect(Math.max(same ?? 0, small ?? 0)).toBeLessThan(36);
  });

  it('gives up what no run would decide, and says so', async () => {
    const { verdicts, comparisons } = await comparison({ wild: { ratio: 1, noise: 0.3 } });
    expect(verdicts).toEqual([['wild', 'undecided', 'futility']]);
    expect(comparisons[0]?.runs.new.length).toBeLessThan(36);
  });

  it('ends at the most runs at the latest', async () => {
    const { verdicts, runs } = await comparison(
      { close: { ratio: 1.03, noise: 0.02 } },
      { runs: { maxRuns: 4 } },
    );
    expect(verdicts).toEqual([['close', 'undecided', 'limit']]);
    expect(runs).toHaveLength(8);
  });

  it('goes in rounds over all files, the subjects of a configuration right after each other and in turn', async () => {
    const { runs } = await comparison({ wild: { ratio: 1, noise: 0.3 } }, { runs: { maxRuns: 3 } }, 2);
    expect(runs.map(({ benchmark: name, subject, round }) => `${name} ${subject} ${round}`)).toEqual([
      'g/0.js old 0',
      'g/0.js new 0',
      'g/1.js old 0',
      'g/1.js new 0',
      'g/0.js new 1',
      'g/0.js old 1',
      'g/1.js new 1',
      'g/1.js old 1',
      'g/0.js old 2',
      'g/0.js new 2',
      'g/1.js old 2',
      'g/1.js new 2',
    ]);
  });

  it('tells of every configuration once when it gets no more runs', async () => {
    const { events } = await comparison({
      clear: { ratio: 2, noise: 0.01 },
      wild: { ratio: 1, noise: 0.3 },
    });
    const decisions = events.flatMap((event) => (event.type === 'decision' ? [event.decision] : []));
    expect(
      decisions.map(({ configuration, judgement }) => [configuration['kind'], judgement.stopped]),
    ).toEqual([
      ['clear', 'difference'],
      ['wild', 'futility'],
    ]);
  });

  it('begins no pair when the time is up, and tells how many configurations are open', async () => {
    const { runs, warnings, verdicts } = await comparison(
      { close: { ratio: 1.03, noise: 0.02 }, other: { ratio: 1, noise: 0.02 } },
      { runs: { budgetMs: 1 } },
    );
    expect(runs).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('the time of the budget is up with 2 of 2')]);
    expect(verdicts).toEqual([['close', 'undecided', null]]);
  });

  it('leaves out a configuration that fails twice in a row, and judges the others', async () => {
    using suite = temporarySuite({
      'g/a.js': benchmark(
        '{ kind: ["bad", "good"], n: [1] }',
        'if (conf.kind === "bad") throw new Error("no"); bench.report(process.env.FASTER ? 2 : 1, 1000n);',
      ),
    });
    const { comparisons, failures } = await compare({
      new: { env: { FASTER: '1' } },
      items: ['all'],
      cwd: suite.directory,
    });
    expect(comparisons.map(({ configuration, verdict }) => [configuration['kind'], verdict])).toEqual([
      ['good', 'faster'],
    ]);
    expect(failures).toHaveLength(3);
  });

  it('refuses what it cannot keep to', async () => {
    await expect(comparison({}, { runs: { maxRuns: 2 } })).rejects.toThrow('allow 3 or more');
    await expect(comparison({}, { runs: { margin: 0 } })).rejects.toThrow('the margin must be a fraction');
    await expect(comparison({}, { runs: { errorRate: 5 } })).rejects.toThrow(
      'the error rate must be between',
    );
  });
});

describe('a comparison that is cut off and continued', () => {
  it('comes to what it would have come to, wherever it was cut off, and loses no run', async () => {
    using suite = noisySuite({
      clear: { ratio: 1.5, noise: 0.02 },
      same: { ratio: 1, noise: 0.008 },
    });
    const out = suite.path('results.jsonl');
    const { request } = await createRequest('compare', noisySubjects(out), {
      items: ['all'],
      runs: 'auto',
      cwd: suite.directory,
    });
    const whole = await Array.fromAsync(runSession(request, { out }));
    const lines = readFileSync(out, 'utf8').split('\n');
    copyFileSync(out, suite.path('whole.jsonl'));
    for (const kept of [1, 8, lines.length - 2]) {
      const torn = (lines[kept] ?? '').slice(0, 20);
      writeFileSync(out, `${lines.slice(0, kept).join('\n')}\n${torn}`);
      const continued = await Array.fromAsync(resumeSession(out));
      expect(continued.map(outline).filter(Boolean)).toEqual(whole.map(outline).filter(Boolean));
    }
  });
});

/** What of an event does not depend on when it happened. */
function outline(event: SessionEvent): unknown {
  if (event.type === 'decision') return event;
  if (event.type !== 'run' || event.record.status !== 'ok') return undefined;
  const { configuration, subject, round, rate } = event.record;
  return { configuration, subject, round, rate };
}

describe('runs of one subject', () => {
  it('go on until the rate is known as precisely as wanted', async () => {
    using suite = noisySuite({ quiet: { ratio: 1, noise: 0.002 }, loud: { ratio: 1, noise: 0.03 } });
    const out = suite.path('results.jsonl');
    const { old } = noisySubjects(out);
    const { request } = await createRequest(
      'run',
      { node: old },
      {
        items: ['all'],
        runs: { margin: 0.02 },
        cwd: suite.directory,
      },
    );
    const judgements: Record<string, unknown> = {};
    for await (const event of runSession(request, { out })) {
      if (event.type !== 'decision' || !('mean' in event.decision.judgement)) continue;
      const { runs, stopped, mean } = event.decision.judgement;
      judgements[String(event.decision.configuration['kind'])] = { runs, stopped };
      expect(mean === null ? 0 : mean.high / mean.rate).toBeLessThanOrEqual(1.02);
    }
    expect(judgements).toEqual({
      quiet: { runs: 4, stopped: 'precision' },
      loud: { runs: 13, stopped: 'precision' },
    });
  });
});

describe('calibrated runs', () => {
  /** A benchmark that takes `nsEach` for an operation, after `warmUpNs` for the first ones. */
  const steady = (nsEach: number, warmUpNs = 0) =>
    benchmark(
      '{ kind: ["a"], n: [10] }',
      `const elapsed = BigInt(Math.round(conf.n * ${nsEach} + ${warmUpNs}));
      bench.report(conf.n / (Number(elapsed) / 1e9), elapsed);`,
    );

  async function counts(source: string, options: Partial<RequestOptions> = {}) {
    using suite = temporarySuite({ 'g/a.js': source });
    const out = suite.path('results.jsonl');
    const { request } = await createRequest(
      'compare',
      { old: {}, new: {} },
      {
        items: ['all'],
        runs: 1,
        calibrate: true,
        cwd: suite.directory,
        ...options,
      },
    );
    const events = await Array.fromAsync(runSession(request, { out }));
    return {
      found: events.flatMap((event) => (event.type === 'calibrated' ? [event.record.count] : [])),
      used: events.flatMap((event) => (event.type === 'run' ? [event.record.configuration['n']] : [])),
      again: await Array.fromAsync(resumeSession(out)),
    };
  }

  it('last about as long as starting a process, with one count for both subjects', async () => {
    const { found, used } = await counts(steady(1e6));
    expect(found).toEqual([50]);
    expect(used).toEqual([50, 50]);
  });

  it('last longer where the rate is not steady yet', async () => {
    const { found } = await counts(steady(1e6, 2e7));
    expect(found).toEqual([160]);
  });

  it('keep the declared count where a trial fails or the count changes nothing', async () => {
    const failing = await counts(
      benchmark('{ n: [10] }', 'if (conf.n > 10) throw new Error("too many"); bench.report(1, 1000n);'),
    );
    expect(failing.found).toEqual([10]);
    const idle = await counts(benchmark('{ n: [10] }', 'bench.report(1, 1000n);'));
    expect(idle.found).toEqual([10]);
  });

  it('leave benchmarks without a number n alone', async () => {
    const { found, used } = await counts(benchmark('{ n: ["many"] }', 'bench.report(1, 1000n);'));
    expect(found).toEqual([]);
    expect(used).toEqual(['many', 'many']);
  });

  it('become one where they differ in the count only', async () => {
    const { used } = await counts(
      benchmark('{ n: [10, 1000] }', 'bench.report(1e3, BigInt(conf.n) * 1000000n);'),
    );
    expect(used).toEqual([50, 50]);
  });

  it('use the recorded counts when they are continued', async () => {
    const { again } = await counts(steady(1e6));
    expect(again.filter(({ type }) => type === 'calibrating')).toEqual([]);
    expect(again.flatMap((event) => (event.type === 'run' ? [event.resumed] : []))).toEqual([true, true]);
  });
});
