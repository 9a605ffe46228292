import type { SamplePair, SubjectNames } from '@bench-cli/results';
import type { ComparisonList } from '@bench-cli/stats';
import { adaptiveSummaryOf, quantile, summaryOf } from '@bench-cli/stats/internal';
import { caseSides } from '../case-sides.ts';
import type { Picture } from './picture.ts';
import { comparisonPage, type Row } from './plot-page.ts';
import { INK, percentChannel, subjectColour } from './theme.ts';

/**
 * A box plot of the rates of each configuration, like compare.R. The rates of configurations differ by orders of magnitude, so
 * boxes are in per cent of the old median; the text of the configuration has the rates.
 *
 * Boxes are those of ggplot2: quartiles of type 7, whiskers to the last run within 1.5 interquartile ranges, and dots for
 * runs beyond. A sample of few runs has a dot for each run and no box.
 */
export function boxPlot(
  pairs: readonly SamplePair[],
  names: SubjectNames = new Map(),
  kind: ComparisonList['kind'] = 'fixed',
): Picture {
  const summarize = kind === 'fixed' ? summaryOf : adaptiveSummaryOf;
  const items = caseSides(pairs).map(({ first, sides: rates }) => ({
    ...first,
    rates,
    samples: new Map(Array.from(rates, ([name, sample]) => [name, summarize(sample, first)])),
  }));
  const boxesOf = ({ item }: Row<(typeof items)[number]>, row: number) => {
    const unit = [...item.samples.values()].find((sample) => sample?.median)?.median ?? 1;
    return Array.from(item.rates).flatMap(([lane, sample]) =>
      sample.length === 0 ? [] : [{ row, lane, ...boxOf(sample, unit) }],
    );
  };
  return comparisonPage(items, { title: 'Rates', names }, ({ rows, ofBenchmark }, subjects) => {
    const color = subjectColour(subjects);
    const boxes = rows.flatMap(boxesOf);
    const all = ofBenchmark.flatMap(boxesOf).flatMap(({ low, high, dots }) => [low, high, ...dots]);
    const x = percentChannel(
      `rate in % of the ${subjects.length > 2 ? 'baseline' : 'old'} median (higher is better)`,
      [Math.min(...all), Math.max(...all)],
    );
    const dots = boxes.flatMap(({ row, lane, dots }) => dots.map((value) => ({ row, lane, value })));
    return [
      {
        data: { values: [{ hundred: 100 }] },
        mark: { type: 'rule', color: INK, strokeDash: [3, 3], opacity: 0.35 },
        encoding: { x: x('hundred'), y: { value: 0 }, y2: { value: 'height' }, yOffset: { value: 0 } },
      },
      {
        data: { values: boxes.filter(({ q1 }) => q1 !== null).map(({ dots: _, ...box }) => box) },
        layer: [
          { mark: { type: 'rule', color: INK }, encoding: { x: x('low'), x2: { field: 'high' } } },
          {
            mark: { type: 'bar', stroke: INK, strokeWidth: 0.7 },
            encoding: { x: x('q1'), x2: { field: 'q3' }, color },
          },
          {
            mark: { type: 'tick', color: INK, thickness: 2, height: { band: 1 } },
            encoding: { x: x('median') },
          },
        ],
      },
      {
        data: { values: dots },
        mark: { type: 'point', size: 24, filled: true, opacity: 0.9 },
        encoding: { x: x('value'), color },
      },
    ];
  });
}

/** A sample of fewer runs has no quartiles worth a box. */
const LEAST_BOX = 5;

function boxOf(sample: ArrayLike<number>, unit: number) {
  const ascending = Array.from(sample, (rate) => (rate / unit) * 100).sort((a, b) => a - b);
  const median = quantile(ascending, 0.5);
  if (ascending.length < LEAST_BOX) {
    return { q1: null, median, q3: null, low: median, high: median, dots: ascending };
  }
  const q1 = quantile(ascending, 0.25);
  const q3 = quantile(ascending, 0.75);
  const reach = 1.5 * (q3 - q1);
  const isInside = (value: number) => value >= q1 - reach && value <= q3 + reach;
  const inside = ascending.filter(isInside);
  const [low = q1, high = q3] = [inside[0], inside.at(-1)];
  return { q1, median, q3, low, high, dots: ascending.filter((value) => !isInside(value)) };
}
