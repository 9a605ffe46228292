import { Picture } from './picture.ts';
import { PALETTE, RATE_LABEL } from './theme.ts';

/** A load of a search for the highest rate within a promise. */
interface SearchedRate {
  readonly rate: number;
  readonly isKept: boolean;
  readonly latency: Readonly<Record<'p50Ms' | 'p90Ms' | 'p99Ms', number | null>> | null;
}

const percentiles = { p50: 'p50Ms', p90: 'p90Ms', p99: 'p99Ms' } as const;

/** The latencies of the loads of a search by their rate. A load whose requests failed has none. */
export function searchPlot(points: readonly SearchedRate[], title: string): Picture {
  const values = points.flatMap(({ rate, isKept, latency }) =>
    Object.entries(percentiles).map(([name, key]) => ({
      ...{ rate, percentile: name, ms: latency?.[key] ?? null },
      promise: isKept ? 'kept' : 'broken',
    })),
  );
  const encoding = {
    x: {
      field: 'rate',
      type: 'quantitative' as const,
      title: 'planned requests per second',
      scale: { type: 'log' as const, nice: false, padding: 12 },
      axis: { labelExpr: RATE_LABEL },
    },
    y: {
      field: 'ms',
      type: 'quantitative' as const,
      title: 'latency, ms',
      scale: { type: 'log' as const },
      axis: { labelExpr: "format(datum.value, '~g')" },
    },
    color: {
      field: 'percentile',
      type: 'nominal' as const,
      title: null,
      scale: { domain: Object.keys(percentiles), range: PALETTE.slice(0, 3) },
    },
  };
  const shape = {
    field: 'promise',
    type: 'nominal' as const,
    title: 'promise',
    scale: { domain: ['kept', 'broken'] },
  };
  return new Picture({
    title: { text: 'Latency by rate', subtitle: title, offset: 14 },
    data: { values: values.filter(({ ms }) => ms !== null) },
    ...{ width: 640, height: 360 },
    layer: [
      {
        mark: { type: 'line', strokeWidth: 1.2, opacity: 0.6 },
        encoding: { ...encoding, y: { ...encoding.y, aggregate: 'median' as const } },
      },
      { mark: { type: 'point', size: 45 }, encoding: { ...encoding, shape } },
    ],
  });
}
