import type { SamplePair } from '@bench-cli/results';
import { quantile, summarizeSample } from '@bench-cli/stats';
import { subjectColour } from './mark.ts';
import { comparisonPage } from './page.ts';
import type { Picture } from './picture.ts';
import type { SubjectTitles } from './row.ts';
import { INK } from './theme.ts';

/**
 * A box plot of the rates of each configuration, like compare.R. The rates of configurations differ by orders of magnitude, so
 * boxes are in per cent of the old median; the text of the configuration has the rates.
 *
 * Boxes are those of ggplot2: quartiles of type 7, whiskers to the last run within 1.5 interquartile ranges, and dots for
 * runs beyond.
 */
export function boxPlot(pairs: readonly SamplePair[], names: SubjectTitles = {}): Picture {
  const items = pairs.map((pair) => ({
    ...pair,
    old: pair.old.length === 0 ? null : summarizeSample(pair.old),
    new: pair.new.length === 0 ? null : summarizeSample(pair.new),
    rates: pair,
  }));
  const page = { title: 'Rates under both subjects', names };
  return comparisonPage(items, page, ({ rows }) => {
    const boxes = rows.flatMap(({ item }, row) => {
      const unit = item.old?.median || item.new?.median || 1;
      return (['old', 'new'] as const).flatMap((lane) => {
        const sample = item.rates[lane];
        return sample.length === 0 ? [] : [{ row, lane, ...boxOf(sample, unit) }];
      });
    });
    const x = (field: string) => ({
      field,
      type: 'quantitative' as const,
      scale: { zero: false, nice: true },
      axis: {
        title: 'rate, per cent of the old median (higher is better)',
        tickCount: 6,
        labelExpr: "datum.label + ' %'",
      },
    });
    const dots = boxes.flatMap(({ row, lane, outliers }) => outliers.map((value) => ({ row, lane, value })));
    return [
      {
        data: { values: [{ hundred: 100 }] },
        mark: { type: 'rule', color: INK, strokeDash: [3, 3], opacity: 0.35 },
        encoding: { x: x('hundred'), y: { value: 0 }, y2: { value: 'height' }, yOffset: { value: 0 } },
      },
      {
        data: { values: boxes.map(({ outliers: _, ...box }) => box) },
        layer: [
          { mark: { type: 'rule', color: INK }, encoding: { x: x('low'), x2: { field: 'high' } } },
          {
            mark: { type: 'bar', stroke: INK, strokeWidth: 0.7, height: { band: 0.9 } },
            encoding: { x: x('q1'), x2: { field: 'q3' }, color: subjectColour },
          },
          {
            mark: { type: 'tick', color: INK, thickness: 2, height: { band: 0.9 } },
            encoding: { x: x('median') },
          },
        ],
      },
      {
        data: { values: dots },
        mark: { type: 'point', size: 12, filled: true, opacity: 0.8 },
        encoding: { x: x('value'), color: subjectColour },
      },
    ];
  });
}

/** The box of a sample, in per cent of the unit. */
function boxOf(sample: ArrayLike<number>, unit: number) {
  const ascending = Array.from(sample, (rate) => (rate / unit) * 100).sort((a, b) => a - b);
  const q1 = quantile(ascending, 0.25);
  const q3 = quantile(ascending, 0.75);
  const reach = 1.5 * (q3 - q1);
  const inside = ascending.filter((value) => value >= q1 - reach && value <= q3 + reach);
  return {
    q1,
    median: quantile(ascending, 0.5),
    q3,
    low: inside[0] ?? q1,
    high: inside.at(-1) ?? q3,
    outliers: ascending.filter((value) => value < q1 - reach || value > q3 + reach),
  };
}
