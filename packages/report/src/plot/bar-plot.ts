import type { SubjectNames } from '@bench-cli/results';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { methodOf } from '@bench-cli/stats/internal';
import { caseSides } from '../case-sides.ts';
import type { Picture } from './picture.ts';
import { comparisonPage, type Row } from './plot-page.ts';
import { intervalMarks, percentChannel, subjectColour } from './theme.ts';

/**
 * The mean rate of each configuration as a bar, like bar.R. Bars are in per cent of the old mean; the text of the
 * configuration has the rates. Bars have 95 % intervals (Student's t) if the method has them.
 */
export function barPlot(list: ComparisonList, names: SubjectNames = new Map()): Picture {
  const method = methodOf(list);
  const items = caseSides<Comparison>(list.comparisons).map(({ first, sides: samples }) => ({
    ...first,
    samples,
  }));
  const barsOf = ({ item }: Row<(typeof items)[number]>, row: number) => {
    const unit = ([...item.samples.values()].find((sample) => sample?.mean)?.mean ?? 1) / 100;
    return Array.from(item.samples).flatMap(([lane, sample]) => {
      if (sample === null) return [];
      const mean = sample.mean / unit;
      const half = (method.meanHalfWidth(sample) ?? 0) / unit;
      return [{ row, lane, mean, low: Math.max(0, mean - half), high: mean + half }];
    });
  };
  return comparisonPage(items, { title: 'Mean rates', names }, ({ rows, ofBenchmark }, subjects) => {
    const bars = rows.flatMap(barsOf);
    const highest = Math.max(...ofBenchmark.flatMap(barsOf).map(({ high }) => high));
    const hasIntervals = bars.some(({ low, high }) => low < high);
    const x = percentChannel(
      `mean rate in % of the ${subjects.length > 2 ? 'baseline' : 'old'} mean (higher is better)${hasIntervals ? ', 95 % interval' : ''}`,
      [0, highest],
    );
    return [
      {
        data: { values: bars },
        layer: [
          { mark: { type: 'bar' }, encoding: { x: x('mean'), color: subjectColour(subjects) } },
          { data: { values: bars.filter(({ low, high }) => low < high) }, layer: intervalMarks(x, 6) },
        ],
      },
    ];
  });
}
