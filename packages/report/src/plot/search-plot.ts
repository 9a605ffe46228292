import { medianOf } from '@bench-cli/stats/internal';
import { logarithmicScale } from '../picture/scale.ts';
import { pointPlot } from './point-plot.ts';

interface SearchedRate {
  readonly rate: number;
  readonly isKept: boolean;
  readonly latency: Readonly<Record<'p50Ms' | 'p90Ms' | 'p99Ms', number | null>> | null;
}

/** The latencies of the loads of a search by rate, with a line at the medians. Failed loads have none. */
export function searchPlot(loads: readonly SearchedRate[], limit: string): string {
  const percentiles = ['p50', 'p90', 'p99'] as const;
  const series = percentiles.map((name, subject) => {
    const points = loads.flatMap(({ rate: x, isKept, latency }) => {
      const ms = latency?.[`${name}Ms`] ?? null;
      const className = isKept ? '' : 'hollow';
      return ms === null ? [] : [{ x, y: { low: ms, value: ms, high: ms }, className }];
    });
    const byRate = [...Map.groupBy(points, ({ x }) => x)].sort(([a], [b]) => a - b);
    return {
      subject,
      points,
      path: byRate.map(([x, all]) => [x, medianOf(all.map(({ y }) => y.value))] as const),
    };
  });
  const points = series.flatMap((each) => each.points);
  const scaleOf = (values: readonly number[]) => logarithmicScale(Math.min(...values), Math.max(...values));
  return pointPlot(
    { lines: ['Latency by rate', limit, 'outlines: the limit is not kept'], legend: percentiles },
    { title: 'planned requests per second', scale: scaleOf(points.map(({ x }) => x)) },
    { title: 'latency, ms', scale: scaleOf(points.map(({ y }) => y.value)) },
    series,
  );
}
