import { argumentsOf, UsageError } from '@bench-cli/results';
import { rateText } from '../figure-text.ts';
import { type RateGroup, shownRate } from '../rate-groups.ts';
import { Picture } from './picture.ts';
import { intervalMarks, MUTED, PALETTE, RATE_LABEL } from './theme.ts';

/** A rate with its 95 % confidence interval, if there is one. */
interface NamedRate {
  readonly name: string;
  readonly ratePerSecond: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

const ROW_HEIGHT = 26;

interface RateTitles {
  readonly title: string;
  /** The common conditions of all rates. */
  readonly subtitle: string;
  /** What is counted per second, such as `answers`; `ms` for the times of whole commands, of which less is better. */
  readonly unit: string;
}

/**
 * Rates as bars with their 95 % intervals, in the given order.
 * @throws UsageError without rates
 */
export function ratePlot(rates: readonly NamedRate[], titles: RateTitles): Picture {
  if (rates.length === 0)
    throw new UsageError('ERR_BENCH_PLOT', 'nothing to plot: there is no rate; look at the failures');
  return new Picture(barsOf(rates, titles));
}

/**
 * The rates of groups as bars with their 95 % intervals, those of whole commands as times. Bars do not suggest an order of the values.
 * @throws UsageError without groups
 */
export function groupPlot(groups: readonly RateGroup[]): Picture {
  if (groups.length === 0) throw new UsageError('ERR_BENCH_PLOT', 'nothing to plot: no run succeeded');
  const charts = groups.map(({ benchmark, shared, rows }) => {
    const isTimed = rows.some(({ times }) => times !== undefined);
    const rates = rows.map((row) => {
      const { value, interval } = shownRate(row);
      return { name: row.label, ratePerSecond: value, interval };
    });
    const subtitle = argumentsOf(shared).join(' ');
    return barsOf(rates, { title: benchmark, subtitle, unit: isTimed ? 'ms' : 'operations' });
  });
  return new Picture({ spacing: 40, vconcat: charts });
}

function barsOf(rates: readonly NamedRate[], { title, subtitle, unit }: RateTitles) {
  const isTimed = unit === 'ms';
  const values = rates.map(({ name, ratePerSecond, interval }) => ({
    name,
    rate: ratePerSecond,
    label: isTimed ? `${ratePerSecond.toFixed(1)} ms` : rateText(ratePerSecond),
    end: interval?.high ?? ratePerSecond,
  }));
  const intervals = rates.flatMap(({ name, interval }) => (interval === null ? [] : [{ name, ...interval }]));
  const [what, better] = isTimed ? ['mean time, ms', 'lower'] : [`${unit} per second`, 'higher'];
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    title: `${what}${intervals.length > 0 ? ', with 95 % interval' : ''} (${better} is better)`,
    axis: { labelExpr: RATE_LABEL, tickCount: 6 },
  });
  return {
    data: { values },
    title: { text: title, subtitle, offset: 14 },
    width: 520,
    height: rates.length * ROW_HEIGHT,
    encoding: {
      y: { field: 'name', type: 'nominal' as const, sort: null, title: null, axis: { labelLimit: 320 } },
    },
    layer: [
      {
        mark: { type: 'bar' as const, height: { band: 0.7 }, color: PALETTE[0] },
        encoding: { x: { ...x('rate'), scale: { zero: true } } },
      },
      { data: { values: intervals }, layer: intervalMarks(x, 8) },
      {
        mark: { type: 'text' as const, align: 'left' as const, dx: 8, color: MUTED },
        encoding: { x: x('end'), text: { field: 'label' } },
      },
    ],
  };
}
