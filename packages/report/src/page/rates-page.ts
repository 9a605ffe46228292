import { argumentsOf } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import { html } from 'ghtml';
import { shortened } from '../figure-text.ts';
import { type RateGroup, type RateRow, rankingTexts, shownRate } from '../rate-groups.ts';
import { sessionFacts } from '../session-facts.ts';
import { columnsFor } from '../table/run-table.ts';
import { factSection, renderDocument } from './document.ts';
import { RATES_STYLE, STYLE } from './style.ts';

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
  const body = html`<main>
<header><h1>${title}</h1></header>
!${groups.map((group) => sectionOf(group, title))}
<p class="note">${legend} Bars have 95 % intervals.</p>
!${factSection(sessionFacts(recordings))}
</main>`;
  return renderDocument({ title, style: STYLE + RATES_STYLE, body });
}

function sectionOf({ benchmark, shared, rows, rankings }: RateGroup, title: string): string {
  const name = [benchmark, ...argumentsOf(shared)].join(' ');
  const highest = Math.max(...rows.map(shownRate).map(({ value, interval }) => interval?.high ?? value));
  const pairs = rankingTexts(rankings).flatMap(({ heading, texts }) =>
    texts.map((text) => html`<li>${heading} ${text}</li>`),
  );
  const [, ...columns] = columnsFor(rows);
  const figures = columns.filter((column) => column !== false);
  const head = figures.map(({ title }) =>
    title === '' ? '<td></td>' : html`<th scope="col" class="number">${title}</th>`,
  );
  const lines = rows.map((row, at) => {
    const cells = figures.map(({ cell }) => html`<td class="number">${cell(row, at)}</td>`);
    return html`<tr><th scope="row" title="${row.label}">${shortened(row.label, NAME_LETTERS)}!${barText(row, highest)}</th>!${cells}</tr>`;
  });
  return html`<section>!${name === title ? '' : html`<h2>${name}</h2>`}
<div class="rates"><table class="figures"><thead><tr><td></td>!${head}</tr></thead><tbody>!${lines}</tbody></table></div>
!${pairs.length > 0 ? html`<ul class="tests">!${pairs}</ul>` : ''}</section>`;
}

function barText(row: RateRow, highest: number): string {
  const share = (value: number) => `${((value / highest) * 100).toFixed(2)}%`;
  const { value, interval } = shownRate(row);
  const { low, high } = interval ?? { low: value, high: value };
  const middle = BAR_HEIGHT / 2;
  return html`<svg height="${BAR_HEIGHT}" aria-hidden="true"><rect x="0" y="4" width="${share(value)}" height="${BAR_HEIGHT - 8}" class="box subject-1"/><line x1="${share(low)}" x2="${share(high)}" y1="${middle}" y2="${middle}" class="median"/></svg>`;
}
