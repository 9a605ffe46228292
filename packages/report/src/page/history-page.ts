import { caseName, counted, textOrder } from '@bench-cli/results';
import type { ChangePoint } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { commitText, rateText } from '../figure-text.ts';
import { line, pixelsOf, seriesMarks, symbol } from '../picture/mark.ts';
import { linearScale, scaleBetween } from '../picture/scale.ts';
import { rangeText } from '../session-facts.ts';
import { countsOf, signedChange } from './browser/entry.ts';
import { verdictMark } from './browser/entry-mark.ts';
import { footer, renderDocument } from './document.ts';
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
  readonly changes: readonly Omit<ChangePoint, 'p'>[];
}

/** What git and the host of a repository know about a commit. */
export interface HistoryCommit {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly url?: string | undefined;
}

type Commits = ReadonlyMap<string, HistoryCommit>;

const LISTED_CHANGES = 10;
const TONES = ['slower', 'faster'] as const;

/** A chart of each series, the latest change first. @param versions measured in the latest session */
export function renderHistory(
  title: string,
  series: readonly HistorySeries[],
  commits: Commits = new Map(),
  versions: readonly string[] = [],
): string {
  const latest = ({ changes }: Chart) => changes.at(-1)?.at ?? '';
  const charts = series.map(chartOf).sort((a, b) => textOrder(latest(b), latest(a)));
  const isSeveral = new Set(series.map(({ machine, measure }) => `${measure} ${machine}`)).size > 1;
  const figures = charts.map((each, id) => figureOf(each, id, isSeveral, commits));
  const changed = charts.filter(({ changes }) => changes.length > 0).length;
  const unchanged = charts.length - changed;
  const { size } = new Set(series.flatMap(({ points }) => points.map(({ commit }) => commit)));
  const body = html`<a class="skip" href="#charts">Skip to the charts</a>
<main>
<header>
<h1>${title}</h1>
<p class="muted">${counted(size, 'commit')}, ${dateRange(series)}</p>
<p class="lead">${summaryText(charts)}</p>
</header>
!${commitSection(charts, commits)}
<section aria-labelledby="charts"><h2 id="charts" tabindex="-1">Charts</h2>
<div class="controls" role="search"><label class="search">Search <input type="search" id="search" placeholder="words, such as parse n=1024" autocomplete="off"></label><span id="status" role="status"></span></div>
!${changed === 0 ? '' : html`<div class="series">!${figures.slice(0, changed)}</div>`}
!${unchanged === 0 ? '' : html`<details class="folded"!${changed === 0 ? ' open' : ''}><summary>${counted(unchanged, 'series', 'series')} without a change</summary><div class="series">!${figures.slice(changed)}</div></details>`}</section>
<section aria-labelledby="method"><h2 id="method">How to read this</h2>!${READING}</section>
!${footer(originOf(series, versions))}
</main>`;
  return renderDocument({ title, style: STYLE + HISTORY_STYLE, script: '#history-script', body });
}

type Chart = ReturnType<typeof chartOf>;

/** A series with its changes as they are shown. */
function chartOf(series: HistorySeries) {
  const changes = series.changes.map(({ index, before, after }) => {
    const { commit = '', at = '' } = series.points[index] ?? {};
    const tone: (typeof TONES)[number] = after < before ? 'slower' : 'faster';
    const share = before === 0 ? 'from 0' : signedChange(after / before - 1);
    return { index, before, after, commit, at, tone, share };
  });
  return { ...series, changes };
}

function dateRange(series: readonly HistorySeries[]): string {
  return rangeText(series.flatMap(({ points }) => points.map(({ at }) => dateOf(at))).sort());
}

function originOf(series: readonly HistorySeries[], versions: readonly string[]): string {
  const latest = versions.length === 0 ? [] : [`${versions.join(', ')} in the latest session`];
  const machines = new Set(series.map(({ machine }) => machine));
  const runs = series.reduce((sum, { points }) => points.reduce((all, point) => all + point.runs, sum), 0);
  return [...latest, ...machines, dateRange(series), counted(runs, 'run')].join(' · ');
}

function summaryText(charts: readonly Chart[]): string {
  const tones = charts.flatMap(({ changes }) => changes.map(({ tone }) => tone));
  const values = charts.reduce((sum, { points }) => sum + points.length, 0);
  const size = `${counted(charts.length, 'series', 'series')} with ${counted(values, 'value')}`;
  if (tones.length === 0) return `No change in ${size}.`;
  return `${counted(tones.length, 'change')} in ${size}: ${countsOf(TONES, tones)}.`;
}

/** Commits with changes, the latest first, each with its largest changes. */
function commitSection(charts: readonly Chart[], commits: Commits): string {
  const changes = charts.flatMap((chart, id) =>
    chart.changes.map((change) => ({ id, name: caseName(chart), ...change })),
  );
  if (changes.length === 0) return '';
  const latestFirst = changes.toSorted((a, b) => textOrder(b.at, a.at));
  const items = [...Map.groupBy(latestFirst, ({ commit }) => commit)].map(([commit, changed]) => {
    const largest = changed
      .toSorted((a, b) => Math.abs(b.after / b.before - 1) - Math.abs(a.after / a.before - 1))
      .slice(0, LISTED_CHANGES);
    const lines = largest.map(
      ({ id, name, tone, share }) =>
        html`<li class="${tone}"><span class="by">${share}</span> <a href="#series-${id}">${name}</a></li>`,
    );
    const rest = changed.length - largest.length;
    const more = rest > 0 ? html`<li class="more">and ${rest} more</li>` : '';
    const tones = changed.map(({ tone }) => tone);
    const { title = '', author } = commits.get(commit) ?? {};
    const by = author === undefined ? '' : html`${author} · `;
    return html`<h3>!${commitMark(commit, commits)} ${title} <span class="muted">!${by}measured ${dateOf(changed[0]?.at ?? '')} · ${countsOf(TONES, tones)}</span></h3><ul class="findings">!${lines}!${more}</ul>`;
  });
  return html`<section aria-labelledby="commits"><h2 id="commits">Commits that changed results</h2>!${items}</section>`;
}

function commitMark(commit: string, commits: Commits): string {
  const name = html`<code title="${commit}">${commitText(commit)}</code>`;
  const { url } = commits.get(commit) ?? {};
  return url === undefined ? name : html`<a href="${url}">!${name}</a>`;
}

function dateOf(at: string): string {
  return at.slice(0, 10);
}

function figureOf(chart: Chart, id: number, isNamed: boolean, commits: Commits): string {
  const { benchmark, text, measure, machine, points, changes } = chart;
  // Ratios have no unit: `rate / 22.1.0, in turns`.
  const unit = measure.includes(' / ') ? measure : 'operations per second';
  const note = [unit, ...(isNamed ? [machine] : [])].join(' · ');
  const ends = [...new Set([points[0], points.at(-1)])].flatMap((point) =>
    point === undefined ? [] : html`<span>!${commitMark(point.commit, commits)} ${dateOf(point.at)}</span>`,
  );
  const lines = changes.map(
    ({ commit, at, tone, share, before, after }) =>
      html`<li class="${tone}">!${verdictMark(tone)} <strong>${share}</strong> at !${commitMark(commit, commits)}, ${dateOf(at)}: ${valueText(before)} → ${valueText(after)}</li>`,
  );
  return html`<figure id="series-${id}"><figcaption><span class="name">${benchmark} <span class="muted">${text}</span></span><span class="latest" title="latest value">${valueText(points.at(-1)?.value ?? 0)}</span></figcaption><p class="note">${note}</p>
!${pictureOf(chart)}<div class="ends">!${ends}</div><ul class="changes">!${lines.reverse()}</ul></figure>`;
}

const HEIGHT = 120;
/** Space above the values, for the symbols of changes. */
const MARK_HEIGHT = 12;
/** The fraction of the value that the axis spans on each side at least, so that noise looks small. */
const LEAST_REACH = 0.05;

/** All values in their order, with a horizontal line at the mean between changes. */
function pictureOf(chart: Chart): string {
  const { points, changes } = chart;
  const values = points.map(({ value }) => value);
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const [low, high] = [middle * (1 - LEAST_REACH), middle * (1 + LEAST_REACH)];
  const y = linearScale(Math.min(...values, low), Math.max(...values, high));
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
  return html`<svg class="chart" role="img" height="${HEIGHT}" aria-label="${descriptionOf(chart)}">!${seriesMarks(x, y, [], HEIGHT)}!${marks}<svg viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none" height="${HEIGHT}"><path class="dots" d="${dots.join('')}"/></svg>!${means}</svg>`;
}

function descriptionOf(chart: Chart): string {
  const { points, changes } = chart;
  const found = changes.map(({ share, commit }) => `${share} at ${commit}`);
  const values = `${counted(points.length, 'value')} from ${valueText(points[0]?.value ?? 0)} to ${valueText(points.at(-1)?.value ?? 0)}`;
  return `${caseName(chart)}: ${values}. ${found.length === 0 ? 'No change' : `Changes: ${found.join('; ')}`}.`;
}

function valueText(value: number): string {
  return rateText(value, 4);
}

const READING = `
<p>Each dot is the result of one session, from left to right in the order of their commits. The horizontal lines are the
means between changes. A dashed line is a change: the first commit with the new mean. Orange is slower, blue is faster.</p>
<p>An axis spans at least 10&nbsp;% of the value, so that noise does not look like a change. Values of different machines are never
in one chart.</p>
<p><strong>Changes</strong> are found by the method of Hunter and apache-otava: E-divisive in windows of 50 values, then Student's
t-test of both sides. A change of the size of the noise needs about ten commits after it to be found.</p>`;
