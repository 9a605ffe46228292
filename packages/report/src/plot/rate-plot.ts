import { UsageError } from '@bench-cli/results';
import { rateText } from '../figure-text.ts';
import { Picture } from './picture.ts';
import { intervalMarks, MUTED, PALETTE, RATE_LABEL } from './theme.ts';

/** A rate with its 95 % confidence interval, if there is one. */
interface NamedRate {
  readonly name: string;
  readonly ratePerSecond: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

const ROW_HEIGHT = 26;

/**
 * Rates as bars with their 95 % intervals, in the given order.
 * @param texts the subtitle has the common conditions of all rates, and the unit is what is counted per second, such as `answers`
 * @throws UsageError without rates
 */
export function ratePlot(
  rates: readonly NamedRate[],
  { title, subtitle, unit }: Readonly<Record<'title' | 'subtitle' | 'unit', string>>,
): Picture {
  if (rates.length === 0)
    throw new UsageError('ERR_BENCH_PLOT', 'nothing to plot: there is no rate; look at the failures');
  const values = rates.map(({ name, ratePerSecond, interval }) => ({
    name,
    rate: ratePerSecond,
    label: rateText(ratePerSecond),
    end: interval?.high ?? ratePerSecond,
  }));
  const intervals = rates.flatMap(({ name, interval }) => (interval === null ? [] : [{ name, ...interval }]));
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    title: `${unit} per second${intervals.length > 0 ? ', with 95 % interval' : ''} (higher is better)`,
    axis: { labelExpr: RATE_LABEL, tickCount: 6 },
  });
  return new Picture({
    data: { values },
    title: { text: title, subtitle, offset: 14 },
    width: 520,
    height: rates.length * ROW_HEIGHT,
    encoding: { y: { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 320 } } },
    layer: [
      {
        mark: { type: 'bar', height: { band: 0.7 }, color: PALETTE[0] },
        encoding: { x: { ...x('rate'), scale: { zero: true } } },
      },
      { data: { values: intervals }, layer: intervalMarks(x, 8) },
      {
        mark: { type: 'text', align: 'left', dx: 8, color: MUTED },
        encoding: { x: x('end'), text: { field: 'label' } },
      },
    ],
  });
}
