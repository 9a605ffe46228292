import { counted } from '@bench-cli/results';
import { html } from 'ghtml';
import { commitText, percent, shortened } from '../figure-text.ts';
import type { HistoryPayload, PayloadSeries, Timeline } from './browser/history-payload.ts';
import { renderDocument } from './document.ts';
import { HISTORY_STYLE, STYLE } from './style.ts';
import { SYMBOLS } from './symbol.ts';

/** The values of one case on one machine over commits, and the changes among them. */
export interface HistorySeries {
  readonly benchmark: string;
  /** The parameters. */
  readonly text: string;
  readonly machine: string;
  /** The kind of the values, such as `rate`. More is better. */
  readonly measure: string;
  /** In the order of `at`: when the session began, ISO 8601 in UTC. */
  readonly points: readonly {
    readonly commit: string;
    readonly at: string;
    readonly value: number;
    readonly runs: number;
  }[];
  /** `index` is that of the first point after the change; the means are those of the points up to the next changes. */
  readonly changes: readonly { readonly index: number; readonly before: number; readonly after: number }[];
}

export interface HistoryContent {
  readonly title: string;
  readonly series: readonly HistorySeries[];
}

/** The number of commits that are listed above the charts, and of changes that each lists. */
const LISTED_COMMITS = 8;
const LISTED_CHANGES = 5;
/** Letters of the names of cases and machines in the list. */
const NAME_LETTERS = 90;
const PLACE_LETTERS = 40;
/** So few charts are not worth searching. */
const MOST_PLAIN = 3;

/** Makes one HTML page with a chart of each series. It needs no network and no other file. */
export function renderHistory({ title, series }: HistoryContent): string {
  const payload = payloadOf(series);
  const body = html`<a class="skip" href="#charts">Skip to the charts</a>
!${SYMBOLS}
<main>
<header>
<h1>${title}</h1>
<p class="muted">${spanText(payload.timelines)}</p>
<p class="lead">${summaryText(payload.series)}</p>
</header>
!${commitSection(payload)}
!${chartSection(payload)}
<section aria-labelledby="method"><h2 id="method">How to read this</h2>!${READING}</section>
</main>`;
  return renderDocument({ title, style: STYLE + HISTORY_STYLE, script: 'history', data: payload, body });
}

/** The script finds the sessions of a series by their place in its timeline, so that no commit is repeated for each case. */
function payloadOf(series: readonly HistorySeries[]): HistoryPayload {
  const groups = Map.groupBy(series, ({ machine, measure }) => JSON.stringify([machine, measure]));
  const timelines: Timeline[] = [];
  const bySeries = new Map<HistorySeries, PayloadSeries>();
  for (const members of groups.values()) {
    const { machine = '', measure = '' } = members[0] ?? {};
    const commits = new Map(
      members.flatMap(({ points }) => points.map(({ at, commit }) => [`${at} ${commit}`, { at, commit }])),
    );
    const sessions = [...commits].sort(([, a], [, b]) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    const sessionAt = new Map(sessions.map(([key], at) => [key, at]));
    for (const each of members) {
      const places = each.points.map(({ at, commit }) => sessionAt.get(`${at} ${commit}`) ?? 0);
      const aligned = <Value>(of: (point: HistorySeries['points'][number]) => Value): (Value | null)[] => {
        const slots = new Array<Value | null>(sessions.length).fill(null);
        for (const [at, point] of each.points.entries()) slots[places[at] ?? 0] = of(point);
        return slots;
      };
      const counts = new Set(each.points.map(({ runs }) => runs));
      const [runs = 0] = counts;
      bySeries.set(each, {
        timeline: timelines.length,
        benchmark: each.benchmark,
        label: each.text,
        values: aligned(({ value }) => Number(value.toPrecision(5))),
        runs: counts.size === 1 ? runs : aligned((point) => point.runs),
        changes: each.changes.map(({ index, before, after }) => ({
          session: places[index] ?? 0,
          before,
          after,
        })),
      });
    }
    timelines.push({
      machine,
      measure,
      sessions: sessions.map(([, { at, commit }]) => ({ commit, date: at.slice(0, 10) })),
    });
  }
  return { timelines, series: series.flatMap((each) => bySeries.get(each) ?? []) };
}

function spanText(timelines: readonly Timeline[]): string {
  const sessions = timelines.flatMap((timeline) => timeline.sessions);
  const dates = sessions.map(({ date }) => date).sort();
  const [first = '', last = first] = [dates[0], dates.at(-1)];
  const commits = counted(new Set(sessions.map(({ commit }) => commit)).size, 'commit');
  const span = first === last ? first : `${first} to ${last}`;
  const [only, another] = timelines;
  return only !== undefined && another === undefined
    ? `${commits}, ${span} · ${only.measure} · ${only.machine}`
    : `${commits}, ${span}`;
}

function summaryText(series: readonly PayloadSeries[]): string {
  const changes = series.flatMap((each) => each.changes);
  const values = series.reduce((sum, each) => sum + each.values.filter((value) => value !== null).length, 0);
  const size = `${counted(series.length, 'series', 'series')} with ${counted(values, 'value')}`;
  if (changes.length === 0) return `No change in ${size}.`;
  const slower = changes.filter(isLoss).length;
  return `${counted(changes.length, 'change')} in ${size}: ${slower} slower, ${changes.length - slower} faster.`;
}

function isLoss({ before, after }: PayloadSeries['changes'][number]): boolean {
  return after < before;
}

/** The latest commits that changed something, each with its largest changes. */
function commitSection({ series, timelines }: HistoryPayload): string {
  const changes = series.flatMap((each, id) =>
    each.changes.map((change) => ({
      id,
      each,
      change,
      size: Math.abs(change.after / change.before - 1),
      ...sessionOf(each, change.session, timelines),
    })),
  );
  if (changes.length === 0) return '';
  const commits = [...Map.groupBy(changes, ({ commit }) => commit)].sort(([, [a]], [, [b]]) =>
    (a?.date ?? '') < (b?.date ?? '') ? 1 : -1,
  );
  const items = commits.slice(0, LISTED_COMMITS).map(([commit, its]) => {
    const slower = its.filter(({ change }) => isLoss(change)).length;
    const counts = [
      ...(slower > 0 ? [`${slower} slower`] : []),
      ...(its.length > slower ? [`${its.length - slower} faster`] : []),
    ].join(', ');
    const largest = its.toSorted((a, b) => b.size - a.size).slice(0, LISTED_CHANGES);
    const lines = largest.map(({ id, each, change, size, machine }) => {
      const name = `${each.benchmark} ${each.label}`.trimEnd();
      const place =
        timelines.length > 1 ? html` <span class="place">${shortened(machine, PLACE_LETTERS)}</span>` : '';
      const loss = isLoss(change);
      return html`<li class="${loss ? 'slower' : 'faster'}"><span class="by">${loss ? '−' : '+'}${percent(size, 1)} %</span> <span><button type="button" data-series="${id}" title="${name}">${shortened(name, NAME_LETTERS)}</button>!${place}</span></li>`;
    });
    const more =
      its.length > LISTED_CHANGES ? html`<li class="more">and ${its.length - LISTED_CHANGES} more</li>` : '';
    return html`<h3><button type="button" data-commit="${commit}" title="Show the charts that this commit changed">${commitText(commit)}</button> <span class="muted">measured ${its[0]?.date ?? ''} · ${counts}</span></h3><ul class="findings">!${lines}!${more}</ul>`;
  });
  const others = commits.length - LISTED_COMMITS;
  const rest =
    others > 0 ? html`<p class="muted">${counted(others, 'earlier commit')} changed results too.</p>` : '';
  return html`<section aria-labelledby="commits"><h2 id="commits">Commits that changed results</h2>!${items}!${rest}</section>`;
}

function sessionOf({ timeline }: PayloadSeries, session: number, timelines: readonly Timeline[]) {
  const { machine = '', sessions = [] } = timelines[timeline] ?? {};
  const { commit = '', date = '' } = sessions[session] ?? {};
  return { commit, date, machine };
}

function chartSection({ series, timelines }: HistoryPayload): string {
  const choice = (id: string, title: string, values: readonly string[]) => {
    const options = values.map((value) => html`<option>${value}</option>`);
    return values.length < 2
      ? ''
      : html`<label>${title} <select id="${id}"><option value="">all</option>!${options}</select></label>`;
  };
  const distinct = (values: readonly string[]) => [...new Set(values)];
  return html`<section aria-labelledby="charts"><h2 id="charts" tabindex="-1">Charts</h2>
<noscript><p>The charts need JavaScript, which this browser does not run.</p></noscript>
<div class="controls" role="search"!${series.length <= MOST_PLAIN ? ' hidden' : ''}>
<label class="search">Search <input type="search" id="search" placeholder="words of a name, or a commit that changed it" autocomplete="off"></label>
!${choice('machine', 'Machine', distinct(timelines.map(({ machine }) => machine)))}!${choice(
    'measure',
    'Measure',
    distinct(timelines.map(({ measure }) => measure)),
  )}<label>Sort by <select id="sort"><option value="latest">latest change</option><option value="largest">largest change</option><option value="name">name</option></select></label>
<label><input type="checkbox" id="changed"> with changes</label>
</div>
<p id="status" role="status"></p>
<div class="series" id="series"></div>
<div class="pager" id="pager" hidden><button type="button" id="previous">Previous</button><button type="button" id="next">Next</button></div></section>`;
}

const READING = `
<p>Each dot is the result of one session, from left to right in the order in which they were measured. The horizontal lines are the
means between changes. A dashed line is a change: the first commit with the new mean. Orange is slower, blue is faster.</p>
<p>An axis spans at least 10&nbsp;% of the value, so that noise does not look like a change. Values of different machines are never
in one chart.</p>
<p><strong>Changes</strong> are found by the method of Hunter and apache-otava: E-divisive in windows of 50 values, then Student's
t-test of both sides. A change of the size of the noise needs about ten commits after it to be found.</p>`;
