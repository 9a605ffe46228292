import { caseName, counted, textOrder } from '@bench-cli/results';
import type { ChangePoint } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { commitText, rateText, shortened } from '../figure-text.ts';
import { line, pixelsOf, seriesMarks, symbol } from '../picture/mark.ts';
import { linearScale, scaleBetween } from '../picture/scale.ts';
import { signedChange } from './browser/entry.ts';
import { verdictMark } from './browser/entry-mark.ts';
import { renderDocument } from './document.ts';
import { HISTORY_STYLE, STYLE } from './style.ts';

/** The values of one case on one machine over commits, and the changes among them. */
export interface HistorySeries {
  readonly benchmark: string;
  readonly text: string;
  readonly machine: string;
  /** The kind of the values, such as `rate`, where more is better. */
  readonly measure: string;
  /** In the order of `at`: when the session began, ISO 8601 in UTC. */
  readonly points: readonly {
    readonly commit: string;
    readonly at: string;
    readonly value: number;
    readonly runs: number;
  }[];
  readonly changes: readonly SeriesChange[];
}

type SeriesChange = Omit<ChangePoint, 'p'>;

const LISTED_CHANGES = 10;
const NAME_LETTERS = 90;

/** Renders one HTML page with a chart of each series, the latest change first. The page needs no script. */
export function renderHistory(title: string, series: readonly HistorySeries[]): string {
  const charts = series.toSorted((a, b) => textOrder(latestChange(b), latestChange(a)));
  const isSeveral = new Set(series.map(({ machine, measure }) => `${measure} ${machine}`)).size > 1;
  const figures = charts.map((each, id) => figureOf(each, id, isSeveral));
  const body = html`<a class="skip" href="#charts">Skip to the charts</a>
<main>
<header>
<h1>${title}</h1>
<p class="muted">${spanText(series)}</p>
<p class="lead">${summaryText(series)}</p>
</header>
!${commitSection(charts)}
<section aria-labelledby="charts"><h2 id="charts" tabindex="-1">Charts</h2><div class="series">!${figures}</div></section>
<section aria-labelledby="method"><h2 id="method">How to read this</h2>!${READING}</section>
</main>`;
  return renderDocument({ title, style: STYLE + HISTORY_STYLE, body });
}

/** The changes of a series, each with its commit, its time, its direction and its size. */
function shownChanges({ points, changes }: HistorySeries) {
  return changes.map(({ index, before, after }) => {
    const { commit = '', at = '' } = points[index] ?? {};
    const tone = after < before ? ('slower' as const) : ('faster' as const);
    const share = before === 0 ? 'from 0' : signedChange(after / before - 1);
    return { index, before, after, commit, at, tone, share };
  });
}

type ShownChange = ReturnType<typeof shownChanges>[number];

/** The time of the latest change; empty without a change. */
function latestChange(series: HistorySeries): string {
  return shownChanges(series).at(-1)?.at ?? '';
}

function spanText(series: readonly HistorySeries[]): string {
  const points = series.flatMap((each) => each.points);
  const dates = points.map(({ at }) => dateOf(at)).sort();
  const commits = counted(new Set(points.map(({ commit }) => commit)).size, 'commit');
  return [commits, [...new Set([dates[0], dates.at(-1)])].join(' to ')].join(', ');
}

function summaryText(series: readonly HistorySeries[]): string {
  const changes = series.flatMap(shownChanges);
  const values = series.reduce((sum, { points }) => sum + points.length, 0);
  const size = `${counted(series.length, 'series', 'series')} with ${counted(values, 'value')}`;
  if (changes.length === 0) return `No change in ${size}.`;
  return `${counted(changes.length, 'change')} in ${size}: ${countsText(changes)}.`;
}

function countsText(changes: readonly ShownChange[]): string {
  const slower = changes.filter(({ tone }) => tone === 'slower').length;
  return `${slower} slower, ${changes.length - slower} faster`;
}

/** Commits with changes, the latest first, each with its largest changes. */
function commitSection(charts: readonly HistorySeries[]): string {
  const changes = charts.flatMap((each, id) =>
    shownChanges(each).map((change) => ({ id, name: caseName(each), ...change })),
  );
  if (changes.length === 0) return '';
  const latestFirst = changes.toSorted((a, b) => textOrder(b.at, a.at));
  const items = [...Map.groupBy(latestFirst, ({ commit }) => commit)].map(([commit, changed]) => {
    const largest = changed
      .toSorted((a, b) => Math.abs(b.after / b.before - 1) - Math.abs(a.after / a.before - 1))
      .slice(0, LISTED_CHANGES);
    const lines = largest.map(
      ({ id, name, tone, share }) =>
        html`<li class="${tone}"><span class="by">${share}</span> <a href="#series-${id}" title="${name}">${shortened(name, NAME_LETTERS)}</a></li>`,
    );
    const rest = changed.length - largest.length;
    const more = rest > 0 ? html`<li class="more">and ${rest} more</li>` : '';
    return html`<h3><span title="${commit}">${commitText(commit)}</span> <span class="muted">measured ${dateOf(changed[0]?.at ?? '')} · ${countsText(changed)}</span></h3><ul class="findings">!${lines}!${more}</ul>`;
  });
  return html`<section aria-labelledby="commits"><h2 id="commits">Commits that changed results</h2>!${items}</section>`;
}

function dateOf(at: string): string {
  return at.slice(0, 10);
}

function figureOf(series: HistorySeries, id: number, isNamed: boolean): string {
  const { benchmark, text, measure, machine, points } = series;
  const note = isNamed ? html`<p class="note">${measure} · ${machine}</p>` : '';
  const ends = [...new Set([points[0], points.at(-1)])].flatMap((point) =>
    point === undefined
      ? []
      : html`<span title="${point.commit}">${commitText(point.commit)} ${dateOf(point.at)}</span>`,
  );
  const lines = shownChanges(series).map(
    ({ commit, at, tone, share, before, after }) =>
      html`<li class="${tone}">!${verdictMark(tone)} <strong>${share}</strong> at <code title="${commit}">${commitText(commit)}</code>, ${dateOf(at)}: ${valueText(before)} → ${valueText(after)}</li>`,
  );
  return html`<figure id="series-${id}"><figcaption><span class="name">${benchmark} <span class="muted">${text}</span></span><span class="latest" title="latest value">${valueText(points.at(-1)?.value ?? 0)}</span></figcaption>!${note}
!${pictureOf(series)}<div class="ends">!${ends}</div><ul class="changes">!${lines.reverse()}</ul></figure>`;
}

const HEIGHT = 120;
/** Space above the values, for the symbols of changes. */
const MARK_HEIGHT = 12;
/** The fraction of the value that the axis spans on each side at least, so that noise looks small. */
const LEAST_REACH = 0.05;

/** All values in their order, with a horizontal line at the mean between changes. */
function pictureOf(series: HistorySeries): string {
  const { points } = series;
  const changes = shownChanges(series);
  const values = points.map(({ value }) => value);
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const y = linearScale(
    Math.min(...values, middle * (1 - LEAST_REACH)),
    Math.max(...values, middle * (1 + LEAST_REACH)),
  );
  const x = scaleBetween(0, Math.max(1, points.length - 1), [], { edge: 2 });
  const starts = [0, ...changes.map(({ index }) => index)];
  const means = starts.map((start, at) => {
    const part = values.slice(start, starts[at + 1]);
    const up = pixelsOf(y.place(part.reduce((sum, value) => sum + value / part.length, 0)), HEIGHT);
    return line('median', [x.place(start), up], [x.place(start + part.length - 1), up]);
  });
  const marks = changes.map(({ index, tone }) => {
    const across = x.place(index);
    const top = symbol(`mark-${tone}`, [across, -MARK_HEIGHT / 2], `change-mark ${tone}`);
    return line(`change-line ${tone}`, [across, 0], [across, HEIGHT]) + top;
  });
  // Dots are paths, because a path takes a tenth of the size of a symbol.
  const dots = values.map(
    (value, at) => `M${Number(x.place(at).toFixed(2))} ${pixelsOf(y.place(value), HEIGHT)}h0`,
  );
  return html`<svg class="chart" role="img" height="${HEIGHT}" aria-label="${descriptionOf(series)}">!${seriesMarks(x, y, [], HEIGHT)}!${marks}<svg viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none" height="${HEIGHT}"><path class="dots" d="${dots.join('')}"/></svg>!${means}</svg>`;
}

function descriptionOf(series: HistorySeries): string {
  const { points } = series;
  const found = shownChanges(series).map(({ share, commit }) => `${share} at ${commit}`);
  const values = `${counted(points.length, 'value')} from ${valueText(points[0]?.value ?? 0)} to ${valueText(points.at(-1)?.value ?? 0)}`;
  return `${caseName(series)}: ${values}. ${found.length === 0 ? 'No change' : `Changes: ${found.join('; ')}`}.`;
}

function valueText(value: number): string {
  return rateText(value, 4);
}

const READING = `
<p>Each dot is the result of one session, from left to right in the order in which they were measured. The horizontal lines are the
means between changes. A dashed line is a change: the first commit with the new mean. Orange is slower, blue is faster.</p>
<p>An axis spans at least 10&nbsp;% of the value, so that noise does not look like a change. Values of different machines are never
in one chart.</p>
<p><strong>Changes</strong> are found by the method of Hunter and apache-otava: E-divisive in windows of 50 values, then Student's
t-test of both sides. A change of the size of the noise needs about ten commits after it to be found.</p>`;
