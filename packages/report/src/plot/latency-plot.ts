import { caseName, type SubjectNames, UsageError } from '@bench-cli/results';
import { build } from 'hdr-histogram-js';
import { type LatencyRun, latenciesOf } from '../latency-histogram.ts';
import { latencyCells, latencyHeatMap } from './latency-heat-map.ts';
import { Picture } from './picture.ts';
import { LATENCY_AXIS, subjectColour } from './theme.ts';

/** The share of the answers that are slower, for the points of a line: 10 for each power of ten. */
const SLOWER = Array.from({ length: 41 }, (_, at) => 10 ** (-at / 10));

/**
 * The latencies of all runs of each case together, by percentile, with a line for each subject. The last percentile has 10 answers above
 * it. Below are those over time, for each subject, if the load tool reported times.
 * @throws UsageError without runs, and for a damaged histogram
 */
export function latencyPlot(runs: readonly LatencyRun[], names: SubjectNames): Picture {
  if (runs.length === 0)
    throw new UsageError('ERR_BENCH_PLOT', 'nothing to plot: no run has a histogram of its latencies');
  const groups = Map.groupBy(runs, (run) => `${caseName(run)}\0${run.subject}`);
  const sides = Array.from(groups.values()).flatMap((group) =>
    group.slice(0, 1).map((first) => ({ group, name: caseName(first), lane: first.subject })),
  );
  const points = sides.flatMap(({ group, ...side }) => {
    const all = build({ autoResize: true, numberOfSignificantValueDigits: 3 });
    for (const part of group.flatMap(latenciesOf)) all.add(part);
    return SLOWER.filter((slower) => slower * all.totalCount >= 10).map((slower) => ({
      ...{ ...side, inverse: 1 / slower },
      ms: all.getValueAtPercentile(100 * (1 - slower)) / 1000,
    }));
  });
  const byPercentile = {
    mark: { type: 'line' as const, strokeWidth: 1.8, interpolate: 'monotone' as const },
    encoding: {
      x: {
        ...{ field: 'inverse', type: 'quantitative' as const, title: 'percentile of the answers' },
        scale: { type: 'log' as const, nice: false },
        axis: {
          values: [1, 2, 10, 100, 1000, 10_000],
          labelExpr: "format(100 - 100 / datum.value, '~g') + ' %'",
        },
      },
      y: { field: 'ms', ...LATENCY_AXIS },
      color: subjectColour([...names.keys()]),
    },
  };
  const cells = sides.flatMap(({ group, name, lane }) =>
    latencyCells(group).map((cell) => ({ ...cell, name: names.size > 1 ? `${lane}: ${name}` : name })),
  );
  return new Picture({
    title: {
      text: 'Latencies',
      subtitle: [...names].flatMap(([name, title]) => (name === title ? [] : [`${name}: ${title}`])),
      offset: 14,
    },
    vconcat: [
      panels('Latency by percentile', points, byPercentile),
      ...(cells.length === 0 ? [] : [panels('Latency over time', cells, latencyHeatMap(cells))]),
    ],
    resolve: { scale: { color: 'independent' } },
  });
}

/** A panel for each name of the values. */
function panels<Unit extends object>(title: string, values: readonly object[], unit: Unit) {
  return {
    title,
    data: { values: [...values] },
    columns: 2,
    facet: { field: 'name', type: 'nominal' as const, title: null, sort: null },
    spec: { width: 420, height: 260, ...unit },
    resolve: { axis: { x: 'independent' as const, y: 'independent' as const } },
  };
}
