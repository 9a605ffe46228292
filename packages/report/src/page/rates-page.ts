import { argumentsOf } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import { html } from 'ghtml';
import { percent, rateText, shortened } from '../figure-text.ts';
import { type RateGroup, type RateRow, rankingTexts } from '../rate-groups.ts';
import { sessionFacts } from '../session-facts.ts';
import { renderDocument } from './document.ts';
import { STYLE } from './style.ts';

interface RatesContent {
  readonly title: string;
  readonly groups: readonly RateGroup[];
  /** What the figures are. */
  readonly legend: string;
  readonly recordings: readonly Recording[];
}

const NAME_LETTERS = 60;
const BAR_HEIGHT = 22;

/** Makes one HTML page of the rates of alternatives: bars with intervals, figures, and which are faster. It needs no script. */
export function renderRatesPage({ title, groups, legend, recordings }: RatesContent): string {
  const facts = sessionFacts(recordings).map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`);
  const body = html`<main>
<header><h1>${title}</h1></header>
!${groups.map(sectionOf)}
<p class="note">${legend} Bars have 95 % intervals.</p>
!${facts.length > 0 ? html`<section aria-labelledby="environment"><h2 id="environment">Environment</h2><dl class="facts">!${facts}</dl></section>` : ''}
</main>`;
  return renderDocument({ title, style: STYLE, body });
}

function sectionOf({ benchmark, shared, rows, rankings }: RateGroup): string {
  const highest = Math.max(...rows.map((row) => barOf(row).high));
  const pairs = rankingTexts(rankings).flatMap(({ heading, texts }) =>
    texts.map((text) => html`<li>${heading} ${text}</li>`),
  );
  const isTimed = rows.some(({ times }) => times !== undefined);
  const heads = isTimed
    ? ['Mean', '±', 'Median', 'Min', 'Max', 'Runs']
    : ['Operations per second', '±', 'Runs'];
  const head = heads.map((text) => html`<th scope="col" class="number">${text}</th>`);
  return html`<section><h2>${[benchmark, ...argumentsOf(shared)].join(' ')}</h2>
<table class="figures"><thead><tr><td></td><td></td>!${head}</tr></thead><tbody>!${rows.map((row) => rowOf(row, highest))}</tbody></table>
!${pairs.length > 0 ? html`<ul class="tests">!${pairs}</ul>` : ''}</section>`;
}

/** A time as its bar if it is a whole command, else a rate. */
function barOf({ rate, interval, times }: RateRow) {
  const half = interval === null ? 0 : (interval.high - interval.low) / 2 / rate;
  const value = times?.meanMs ?? rate;
  return { value, low: Math.max(0, value * (1 - half)), high: value * (1 + half) };
}

function rowOf(row: RateRow, highest: number): string {
  const { label, rate, spread, times, summary } = row;
  const share = (value: number) => `${((value / highest) * 100).toFixed(2)}%`;
  const { value, low, high } = barOf(row);
  const middle = BAR_HEIGHT / 2;
  const bar = html`<svg width="240" height="${BAR_HEIGHT}" role="img" aria-label="${label}"><rect x="0" y="4" width="${share(value)}" height="${BAR_HEIGHT - 8}" class="box subject-1"/><line x1="${share(low)}" x2="${share(high)}" y1="${middle}" y2="${middle}" class="median"/></svg>`;
  const ms = (figure: number | null) => (figure === null ? '' : `${figure.toFixed(1)} ms`);
  const figures =
    times === undefined
      ? [rateText(rate, 4), spread === null ? '' : `${percent(spread, 1)} %`]
      : [times.meanMs, times.deviationMs, times.medianMs, times.minMs, times.maxMs].map(ms);
  const cells = [...figures, String(summary.n)].map((text) => html`<td class="number">${text}</td>`);
  return html`<tr><th scope="row" title="${label}">${shortened(label, NAME_LETTERS)}</th><td>!${bar}</td>!${cells}</tr>`;
}
