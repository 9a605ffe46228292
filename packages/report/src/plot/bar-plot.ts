import { type Comparison, meanHalfWidth } from '@bench-cli/stats';
import { intervalMarks, subjectColour } from './mark.ts';
import { comparisonPage } from './page.ts';
import type { Picture } from './picture.ts';
import type { SubjectTitles } from './row.ts';

/**
 * The mean rate of each configuration as a bar, like bar.R. Bars are in per cent of the old mean; the text of the
 * configuration has the rates. A fixed number of runs has a 95 % interval (Student's t).
 */
export function barPlot(items: readonly Comparison[], names: SubjectTitles = {}): Picture {
  const intervals = items.some(({ judgement }) => judgement.method !== 'sequential')
    ? ", with 95 % interval by Student's t"
    : '';
  return comparisonPage(items, { title: 'Mean rates under both subjects', names }, ({ rows }) => {
    const bars = rows.flatMap(({ item }, row) => {
      const unit = (item.old?.mean || item.new?.mean || 1) / 100;
      return (['old', 'new'] as const).flatMap((lane) => {
        const sample = item[lane];
        if (sample === null) return [];
        const mean = sample.mean / unit;
        const isFixed = item.judgement.method !== 'sequential';
        const half = ((isFixed ? meanHalfWidth(sample) : null) ?? 0) / unit;
        return [{ row, lane, mean, low: Math.max(0, mean - half), high: mean + half }];
      });
    });
    const x = (field: string) => ({
      field,
      type: 'quantitative' as const,
      axis: {
        title: `mean rate, per cent of the old mean${intervals} (higher is better)`,
        tickCount: 6,
        labelExpr: "datum.label + ' %'",
      },
    });
    return [
      {
        data: { values: bars },
        layer: [
          {
            mark: { type: 'bar', height: { band: 0.9 } },
            encoding: { x: { ...x('mean'), scale: { zero: true } }, color: subjectColour },
          },
          {
            data: { values: bars.filter(({ low, high }) => low < high) },
            layer: intervalMarks(x, 6),
          },
        ],
      },
    ];
  });
}
