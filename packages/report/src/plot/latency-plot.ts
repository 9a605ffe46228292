import { caseName, type SubjectNames, UsageError } from '@bench-cli/results';
import { latenciesOf } from '../latency-histogram.ts';
import type { LatencyRun } from '../latency-run.ts';
import { Picture } from './picture.ts';
import { NUMBER_LABEL, subjectColour } from './theme.ts';

/** The share of the answers that are slower, for the points of a line: 10 for each power of ten. */
const SLOWER = Array.from({ length: 41 }, (_, at) => 10 ** (-at / 10));

/**
 * The latencies of all runs of each case together, by percentile, with a line for each subject. The last percentile has 10 answers above it.
 * @throws UsageError without runs, and for a damaged histogram
 */
export function latencyPlot(runs: readonly LatencyRun[], names: SubjectNames): Picture {
  if (runs.length === 0)
    throw new UsageError('ERR_BENCH_PLOT', 'nothing to plot: no run has a histogram of its latencies');
  const groups = Map.groupBy(runs, (run) => `${caseName(run)}\0${run.subject}`);
  const values = Array.from(groups.values()).flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const all = latenciesOf(first);
    all.autoResize = true;
    for (const other of others) all.add(latenciesOf(other));
    return SLOWER.filter((slower) => slower * all.totalCount >= 10).map((slower) => ({
      ...{ name: caseName(first), lane: first.subject, inverse: 1 / slower },
      ms: all.getValueAtPercentile(100 * (1 - slower)) / 1000,
    }));
  });
  const subjects = [...names.keys()];
  return new Picture({
    title: {
      text: 'Latency by percentile',
      subtitle: [...names].flatMap(([name, title]) => (name === title ? [] : [`${name}: ${title}`])),
      offset: 14,
    },
    data: { values },
    columns: 2,
    facet: { field: 'name', type: 'nominal', title: null, sort: null },
    spec: {
      ...{ width: 420, height: 260 },
      mark: { type: 'line', strokeWidth: 1.8, interpolate: 'monotone' },
      encoding: {
        x: {
          ...{ field: 'inverse', type: 'quantitative', title: 'percentile of the answers' },
          scale: { type: 'log', nice: false },
          axis: {
            values: [1, 2, 10, 100, 1000, 10_000],
            labelExpr: "format(100 - 100 / datum.value, '~g') + ' %'",
          },
        },
        y: {
          field: 'ms',
          type: 'quantitative',
          title: 'latency, ms',
          scale: { type: 'log' },
          axis: { labelExpr: NUMBER_LABEL },
        },
        color: subjectColour(subjects),
      },
    },
    resolve: { axis: { x: 'independent', y: 'independent' } },
  });
}
