import type { MetricDescription } from '@bench-cli/results/recording';
import { type MetricList, meanHalfWidth, type SampleSummary, verdictWord } from '@bench-cli/stats';
import { comparisonName } from '../comparison-name.ts';
import { pValue, ratioChange, shortPercent } from '../figure-text.ts';
import { metricText } from '../metric-text.ts';
import { guarantee } from '../summary.ts';
import { escapeAsR } from './cell.ts';
import { renderTextTable, textColumn } from './text-table.ts';

/** The metrics of one case under one subject. */
export interface MeasuredCase {
  /** The benchmark and its configuration. */
  readonly name: string;
  /** The values of all runs, by metric. */
  readonly summaries: ReadonlyMap<string, SampleSummary>;
}

/** A table with a row for each case and a column for each metric: the mean with half its 95 % interval. */
export function renderMetricTable(
  metrics: readonly MetricDescription[],
  cases: readonly MeasuredCase[],
  runs: number,
): string {
  const table = renderTextTable([
    textColumn('', cases, ({ name }) => escapeAsR(name), 'left'),
    ...metrics.map(({ name, unit }) =>
      textColumn(name, cases, ({ summaries }) => cell(summaries.get(name), unit)),
    ),
  ]);
  const legend = metrics.map(({ name, title }) => `${name}: ${title}\n`).join('');
  return `${table}\n${legend}±: Student's 95 % interval of the mean of ${runs} runs that do not count for the rate\n`;
}

function cell(summary: SampleSummary | undefined, unit: MetricDescription['unit']): string {
  if (summary === undefined) return 'not available';
  const halfWidth = meanHalfWidth(summary);
  const spread =
    halfWidth === null || summary.mean === 0 ? '' : ` ±${shortPercent(halfWidth / summary.mean)}`;
  return `${metricText(summary.mean, unit)}${spread}`;
}

/** The method of all metrics, and the guarantee of their correction, which is another one than that of the rates. */
export function metricLines([first]: readonly MetricList[]): readonly string[] {
  if (first === undefined) return [];
  const { list } = first;
  const { corrected } = list.discoveries;
  const differences = `the differences in their ${corrected} comparisons`;
  return [
    `Method: Welch's t-test, corrected for all metrics; Fieller's 95 % interval.`,
    ...(corrected < 2 ? [] : [`Metrics: ${guarantee(list, differences)}. This does not include the rates.`]),
  ];
}

/** A table of the comparisons of a metric, with its title. */
export function renderMetricComparison({ metric: { name, title, unit }, list }: MetricList): string {
  const { comparisons } = list;
  const mean = (summary: SampleSummary | null) =>
    summary === null ? 'not available' : metricText(summary.mean, unit);
  const table = renderTextTable([
    textColumn('', comparisons, (each) => escapeAsR(comparisonName(each, list)), 'left'),
    textColumn('old', comparisons, (each) => mean(each.old)),
    textColumn('new', comparisons, (each) => mean(each.new)),
    textColumn('change', comparisons, ({ judgement: { ratio } }) =>
      ratio === null ? 'NA' : ratioChange(ratio.ratio),
    ),
    textColumn('95 % interval', comparisons, ({ judgement: { ratio } }) =>
      ratio === null ? 'NA' : `${ratioChange(ratio.low)} to ${ratioChange(ratio.high)}`,
    ),
    textColumn('corrected p', comparisons, ({ adjustedP }) => pValue(adjustedP)),
    textColumn('', comparisons, verdictWord, 'left'),
  ]);
  return `${title} (${name})\n${table}`;
}
