import { shownIn } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import type { Comparison, MetricList, SampleSummary } from '@bench-cli/stats';
import { meanHalfWidth } from '@bench-cli/stats/internal';
import { changeRange, changeText, metricText, metricTitle, pValue, shortPercent } from '../figure-text.ts';
import { guarantee } from '../summary.ts';
import { renderJudgements } from './rates-table.ts';
import { columnsOf, textTable } from './table.ts';

export interface MeasuredCase {
  readonly name: string;
  readonly summaries: ReadonlyMap<string, SampleSummary>;
}

/** The mean with half its 95 % interval, a row for each case. @param runs names the runs of the mean */
export function renderMetricTable(
  metrics: readonly MetricDescription[],
  cases: readonly MeasuredCase[],
  runs: string,
): string {
  const { figure, labels } = columnsOf<MeasuredCase>();
  const columns = [
    labels('', ({ name }) => name),
    ...metrics.map(({ name, unit }) => figure(name, ({ summaries }) => cell(summaries.get(name), unit))),
  ];
  const table = textTable({ rows: cases, columns });
  const titled = metrics.filter(({ name, title }) => name !== title);
  const legend = titled.map(({ name, title }) => `${name}: ${title}\n`).join('');
  return `${table}\n${legend}±: 95 % interval of the mean of ${runs}\n`;
}

function cell(summary: SampleSummary | undefined, unit: MetricDescription['unit']): string {
  if (summary === undefined) return 'not available';
  const halfWidth = meanHalfWidth(summary);
  const spread =
    halfWidth === null || summary.mean === 0 ? '' : ` ±${shortPercent(halfWidth / summary.mean)}`;
  return `${metricText(summary.mean, unit)}${spread}`;
}

/** The method of all metrics, their negligible amounts, and the guarantee of their own correction. */
export function metricLines(metrics: readonly MetricList[]): readonly string[] {
  const [first] = metrics;
  if (first === undefined) return [];
  const ignored = metrics.flatMap(({ metric: { name, unit, negligible } }) =>
    negligible > 0 ? `${metricText(negligible, unit)} of ${name}` : [],
  );
  const { corrected } = first.list.discoveries;
  const lines = [
    `Method: Welch's t-test and Fieller's 95 % interval; tests and intervals of differences are corrected for all metrics.`,
    ignored.length > 0 && `Too little to be a difference: less than ${ignored.join(', ')}.`,
    corrected > 1 &&
      `Metrics: ${guarantee(`in any of their ${corrected} comparisons`)}. This does not include the rates.`,
  ];
  return lines.filter((line) => line !== false);
}

export function meanText(summary: SampleSummary | null, unit: string): string {
  return summary === null ? 'not available' : metricText(summary.mean, unit);
}

export function renderMetricComparison({ metric, list }: MetricList, width: number): string {
  const { figure } = columnsOf<Comparison>();
  const table = renderJudgements(list, width, {
    rate: (it, side) => meanText(it[side], metric.unit),
    answer: [
      figure('change', ({ ratio }) => changeText(ratio)),
      figure('interval', ({ ratio }) => changeRange(ratio)),
    ],
    more: figure('corrected p', ({ p }) => pValue(p)),
  });
  return `${shownIn('line', metricTitle(metric))}\n${table}`;
}
