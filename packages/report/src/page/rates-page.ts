import { groupName, shortenedApart, shownArguments, TASK } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import type { ParameterRanking } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { laneMark, tickTexts, verticalGrid } from '../picture/mark.ts';
import { rateScale } from '../picture/scale.ts';
import { failedRowsText, type RateGroup, rankingTexts, shownRate, timesFigure } from '../rate-groups.ts';
import { originText, sessionFacts } from '../session-facts.ts';
import { columnsFor } from '../table/run-table.ts';
import { factSection, footer, renderDocument } from './document.ts';
import { RATES_STYLE, STYLE } from './style.ts';

interface RatesContent {
  readonly title: string;
  readonly groups: readonly RateGroup[];
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
!${footer(originText(recordings))}
</main>`;
  return renderDocument({ title, style: STYLE + RATES_STYLE, body });
}

function sectionOf(group: RateGroup, title: string): string {
  const { benchmark, shared, rows, rankings } = group;
  const failed = failedRowsText(group);
  const name = groupName(benchmark, shared);
  const scale = rateScale(rows.map(shownRate));
  const labels = rows.map(({ label }) => label);
  const names = shortenedApart(labels, NAME_LETTERS);
  const [, ...columns] = columnsFor(rows);
  const figures = columns.filter((column) => column !== false);
  const head = figures.map(({ title }) => (title === '' ? EMPTY_CELL : headCell(title)));
  // The answer first; without a matrix, it is the first line below the picture.
  const leads = rankingTexts(rankings.filter(isMatrix).slice(0, 1)).slice(0, 1);
  const lead = leads.map(({ heading, texts }) => html`<p class="lead">${heading} ${texts[0]}.</p>`);
  const lines = rows.map((row, at) => {
    const cells = figures.map(({ title, cell }) => figureCell(title, html`${cell(row, at)}`));
    const lane = { subject: 1, estimate: shownRate(row) };
    const mark = laneMark(scale, lane, BAR_HEIGHT / 2, BAR_HEIGHT - 8);
    return html`<tr role="row"><th scope="row" role="rowheader" title="${row.label}">${names[at]}<svg height="${BAR_HEIGHT}" aria-hidden="true">!${verticalGrid(scale, BAR_HEIGHT)}!${mark}</svg></th>!${cells}</tr>`;
  });
  return html`<section>!${name === title ? '' : html`<h2>${name}</h2>`}!${failed === '' ? '' : html`<p class="lead failed">${failed}</p>`}!${lead}
!${rows.length === 0 ? '' : html`<div class="rates"><table class="figures" role="table"><thead role="rowgroup"><tr role="row"><td role="cell"><svg height="20" aria-hidden="true">!${tickTexts(scale, 13, PHONE_WIDTH)}</svg></td>!${head}</tr></thead><tbody role="rowgroup">!${lines}</tbody></table></div>`}
!${rankings.map(rankingSection)}</section>`;
}

/** Fewer values have few pairs, and more values too many. */
const [LEAST_MATRIX, MOST_MATRIX] = [4, 8];

function isMatrix({ others }: ParameterRanking): boolean {
  return others.length + 1 >= LEAST_MATRIX && others.length < MOST_MATRIX;
}

/** How many times as fast each value is as slower ones: a triangular matrix, or a sentence for each pair. */
function rankingSection(ranking: ParameterRanking): string {
  const { parameter, at = {}, fastest, others, pairs } = ranking;
  const values = [fastest, ...others.map(({ value }) => value)];
  if (!isMatrix(ranking)) {
    const items = rankingTexts([ranking]).flatMap(({ heading, texts }) =>
      texts.map((text) => html`<li>${heading} ${text}</li>`),
    );
    return html`<ul class="tests">!${items}</ul>`;
  }
  const head = values.slice(1).map(headCell);
  const rows = values.slice(0, -1).map((faster) => {
    const cells = values.slice(1).map((slower) => {
      const pair = pairs.find((each) => each.faster === faster && each.slower === slower);
      return pair === undefined ? EMPTY_CELL : figureCell(`as fast as ${slower}:`, pairCell(pair));
    });
    return html`<tr role="row"><th scope="row" role="rowheader">${faster}</th>!${cells}</tr>`;
  });
  const which = `${parameter === TASK ? 'the' : `each ${parameter}`} ${shownArguments(at)}`.trimEnd();
  return html`<div class="rates"><table class="figures matrix" role="table"><caption>How many times as fast as each slower one, for ${which}</caption><thead role="rowgroup"><tr role="row">!${EMPTY_CELL}!${head}</tr></thead><tbody role="rowgroup">!${rows}</tbody></table></div>`;
}

const EMPTY_CELL = '<td role="cell"></td>';

function headCell(title: ParameterRanking['fastest']): string {
  return html`<th scope="col" role="columnheader" class="number">${title}</th>`;
}

/** A figure (HTML) with the title of its column, which a phone shows before it. */
function figureCell(title: string, figure: string): string {
  return html`<td role="cell" class="number" data-title="${title}">!${figure}</td>`;
}

function pairCell({ ratio, interval, isCertain }: ParameterRanking['pairs'][number]): string {
  const range =
    interval === null ? 'too few runs' : `${timesFigure(interval.low)} to ${timesFigure(interval.high)}`;
  const text = isCertain ? html`<strong>×${timesFigure(ratio)}</strong>` : '<span class="muted">tied</span>';
  return html`!${text} <span class="muted">${range}</span>`;
}
