import { argumentsOf } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import { html } from 'ghtml';
import { shortenedApart } from '../figure-text.ts';
import { laneMark, tickTexts, verticalGrid } from '../picture/mark.ts';
import { rateScale } from '../picture/scale.ts';
import { type RateGroup, rankingTexts, shownRate } from '../rate-groups.ts';
import { sessionFacts } from '../session-facts.ts';
import { columnsFor } from '../table/run-table.ts';
import { factSection, renderDocument } from './document.ts';
import { RATES_STYLE, STYLE } from './style.ts';

interface RatesContent {
  readonly title: string;
  readonly groups: readonly RateGroup[];
  /** The legend of the figures. */
  readonly legend: string;
  readonly recordings: readonly Recording[];
}

const NAME_LETTERS = 60;
const BAR_HEIGHT = 22;
/** Pixels of a bar on a phone. */
const PHONE_WIDTH = 150;

/** Renders one HTML page of the rates of alternatives: intervals, figures and ranks. It needs no script. */
export function renderRatesPage({ title, groups, legend, recordings }: RatesContent): string {
  const body = html`<main>
<header><h1>${title}</h1></header>
!${groups.map((group) => sectionOf(group, title))}
<p class="note">${legend} The lines are 95 % intervals.</p>
!${factSection(sessionFacts(recordings))}
</main>`;
  return renderDocument({ title, style: STYLE + RATES_STYLE, body });
}

function sectionOf({ benchmark, shared, rows, rankings }: RateGroup, title: string): string {
  const name = [benchmark, ...argumentsOf(shared)].join(' ');
  const scale = rateScale(rows.map(shownRate));
  const labels = rows.map(({ label }) => label);
  const names = shortenedApart(labels, NAME_LETTERS);
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
    const lane = { subject: 1, estimate: shownRate(row) };
    const mark = laneMark(scale, lane, BAR_HEIGHT / 2, BAR_HEIGHT - 8);
    return html`<tr><th scope="row" title="${row.label}">${names[at]}<svg height="${BAR_HEIGHT}" aria-hidden="true">!${verticalGrid(scale, BAR_HEIGHT)}!${mark}</svg></th>!${cells}</tr>`;
  });
  return html`<section>!${name === title ? '' : html`<h2>${name}</h2>`}
<div class="rates"><table class="figures"><thead><tr><td><svg height="20" aria-hidden="true">!${tickTexts(scale, 13, PHONE_WIDTH)}</svg></td>!${head}</tr></thead><tbody>!${lines}</tbody></table></div>
!${pairs.length > 0 ? html`<ul class="tests">!${pairs}</ul>` : ''}</section>`;
}
