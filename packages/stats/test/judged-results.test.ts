import type { LoadResult } from '@bench-cli/core';
import { comparedResults } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import { expect, it } from 'vitest';
import { empty, run, session } from '../../../test/support/recording.ts';
import { loadResult } from '../../benchmarkers/test/load-result.ts';
import { judgeResults } from '../src/judged-results.ts';
import { verdictWord } from '../src/verdict-word.ts';

const [subject] = session.request.subjects;
const between = (runs: typeof session.request.runs) => ({
  ...session,
  request: {
    ...session.request,
    command: 'compare' as const,
    runs,
    subjects: ['old', 'new'].flatMap((name) => (subject === undefined ? [] : { ...subject, name })),
  },
});

/** A load whose answers took some milliseconds, with a tool that does not report p99.9. */
const load = (ms: number): LoadResult => {
  const { latency, ...result } = loadResult(1000);
  return { ...result, latency: { ...latency, p50Ms: ms, p90Ms: 2 * ms, p99Ms: 3 * ms } };
};

const runs: readonly SucceededRun[] = [1, 1.01, 0.99, 1.02, 1, 1.01, 0.99, 1.02].flatMap((factor, round) =>
  ['old', 'new'].map((name) => ({
    ...run,
    subject: name,
    round,
    load: load(name === 'old' ? factor : 2 * factor),
  })),
);

it('judges the latencies of loads as metrics, where the tool reports them', () => {
  const { metrics: lists } = judgeResults(comparedResults([{ ...empty, session: between(8), runs }]));
  expect(lists.map(({ metric }) => metric.name)).toEqual(['p50', 'p90', 'p99']);
  expect(lists.flatMap(({ list }) => list.comparisons.map(verdictWord))).toEqual(['more', 'more', 'more']);
  expect(lists[2]?.list.comparisons[0]?.old?.mean).toBeCloseTo(3 * 1.005e6, 0);
});

it('has none without a load, and none for adaptive runs, whose number depends on their rates', () => {
  const without = runs.map(({ load: _, ...each }) => each);
  const rule = { maxRuns: 8, margin: 0.02 };
  for (const [of, session] of [
    [without, between(8)],
    [runs, between(rule)],
  ] as const)
    expect(comparedResults([{ ...empty, session, runs: of }]).metrics).toEqual([]);
});
