import { type Comparison, type MetricList, rateWords, type Verdict, verdictWord } from '@bench-cli/stats';
import { isDifference, verdictCounts } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { comparisonName } from '../comparison-name.ts';
import { changeRange, metricTitle, ratioChange } from '../figure-text.ts';
import { verdictCell } from '../reason-text.ts';
import { meanText, metricLines } from '../table/metric-table.ts';
import { verdictClass } from './browser/entry.ts';
import { verdictMark } from './browser/entry-mark.ts';

/** Above this number, comparisons without a difference are folded. */
const LISTED = 20;

export function metricSection(metrics: readonly MetricList[]): string {
  if (metrics.length === 0) return '';
  const tables = metrics.map((each) => html`<h3>${metricTitle(each.metric)}</h3>!${tablesOf(each)}`);
  return html`<section aria-labelledby="metrics"><h2 id="metrics">Metrics</h2>
<p class="muted">Latencies and metrics of benchmarks are those of the runs of the rate; all other metrics have runs of their own. ${metricLines(metrics).join(' ')}</p>!${tables}</section>`;
}

/** Links to the table of a metric, one for each direction with differences. */
export function metricTiles(metrics: readonly MetricList[]): string[] {
  return metrics.flatMap(({ metric, list }) =>
    (['higher', 'lower'] as const).flatMap((verdict) => {
      const { [verdict]: count } = verdictCounts(list.comparisons);
      if (count === 0) return [];
      const text = `${verdictWord({ verdict, metric })} ${metric.name}`;
      return html`<li><a href="#metrics" class="${tone(verdict, metric.better)}"><strong>${count}</strong> <span>!${verdictMark(rateWords[verdict])} ${text}</span></a></li>`;
    }),
  );
}

function tablesOf(metric: MetricList): string {
  const { comparisons } = metric.list;
  const differing = comparisons.filter(({ verdict }) => isDifference(verdict));
  if (comparisons.length <= LISTED) return tableOf(metric, comparisons);
  const others = comparisons.filter(({ verdict }) => !isDifference(verdict));
  const shown = differing.length === 0 ? '<p>No case differs.</p>' : tableOf(metric, differing);
  return html`!${shown}<details class="notice"><summary>${others.length} cases without a certain difference</summary>!${tableOf(metric, others)}</details>`;
}

function tableOf({ metric, list }: MetricList, comparisons: readonly Comparison[]): string {
  const { title, unit, better } = metric;
  const rows = comparisons.map((comparison) => {
    const { verdict, ratio } = comparison;
    return html`<tr role="row" class="${tone(verdict, better)}"><th scope="row" role="rowheader">${comparisonName(comparison, list)}</th>
<td role="cell" class="verdict">!${verdictMark(rateWords[verdict])} ${verdictCell(comparison)}</td>
<td role="cell" class="number old">${meanText(comparison.old, unit)}</td><td role="cell" class="number new">${meanText(comparison.new, unit)}</td>
<td role="cell" class="number change">${ratio === null ? '' : ratioChange(ratio.ratio)}</td>
<td role="cell" class="number range">${ratio === null ? '' : changeRange(ratio)}</td></tr>`;
  });
  const [baseline = '', subject = '', ...more] = list.subjects;
  const titles = ['Case', 'Verdict', baseline, more.length > 0 ? 'Amount' : subject, 'Change', 'Interval'];
  return figureTable(titles, 2, rows, html`<caption class="skip">${title}</caption>`);
}

/** A table of words and, from column `firstFigure` on, of figures. The rows and the caption are HTML. */
export function figureTable(titles: string[], firstFigure: number, rows: string[], caption = ''): string {
  const head = titles.map(
    (title, at) =>
      html`<th scope="col" role="columnheader"!${at < firstFigure ? '' : ' class="number"'}>${title}</th>`,
  );
  return html`<table role="table" class="metric">!${caption}<thead role="rowgroup"><tr role="row">!${head}</tr></thead><tbody role="rowgroup">!${rows}</tbody></table>`;
}

/** The class of a verdict: blue means better, as for the rate. */
function tone(verdict: Verdict, better: 'less' | 'more'): string {
  const opposite: { readonly [Of in Verdict]?: Verdict } = { higher: 'lower', lower: 'higher' };
  return verdictClass(rateWords[(better === 'less' && opposite[verdict]) || verdict]);
}
