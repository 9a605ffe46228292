import { commitText, rateText } from '../../figure-text.ts';
import { axisOf } from './axis.ts';
import { make, makeSvg } from './element.ts';
import { changeText } from './entry-text.ts';
import type { PayloadChange, PayloadSeries, Timeline } from './history-payload.ts';

const HEIGHT = 120;
/** Space above and below the values, for the symbols of changes. */
const EDGE = 12;
/** The axis spans at least this fraction of the value on each side, so that noise does not look like a change. */
const LEAST_REACH = 0.05;
/** With more values than this, dots are smaller. */
const MOST_LARGE_DOTS = 120;
const DIGITS = 4;

interface Point {
  readonly session: number;
  readonly value: number;
  readonly commit: string;
  readonly date: string;
  readonly runs: number;
}

/** The chart of the values of a case over commits, with its changes. @param isNamed whether it says the measure and the machine */
export function seriesChart(series: PayloadSeries, timeline: Timeline, isNamed: boolean): HTMLElement {
  const points = pointsOf(series, timeline);
  const latest = points.at(-1);
  const label = series.label === '' ? [] : [' ', make('span', { class: 'muted' }, series.label)];
  return make(
    'figure',
    {},
    make(
      'figcaption',
      {},
      make('span', { class: 'name' }, series.benchmark, ...label),
      make('span', { class: 'latest', title: 'latest value' }, latest ? valueText(latest.value) : ''),
    ),
    ...(isNamed ? [make('p', { class: 'note' }, `${timeline.measure} · ${timeline.machine}`)] : []),
    picture(series, timeline, points),
    ends(points),
    changeList(series.changes, timeline),
    valueTable(points, series.changes),
  );
}

function pointsOf({ values, runs }: PayloadSeries, { sessions }: Timeline): readonly Point[] {
  return values.flatMap((value, session) => {
    const { commit = '', date = '' } = sessions[session] ?? {};
    const count = typeof runs === 'number' ? runs : (runs[session] ?? 0);
    return value === null ? [] : [{ session, value, commit, date, runs: count }];
  });
}

function picture(series: PayloadSeries, timeline: Timeline, points: readonly Point[]): HTMLElement {
  const values = points.map(({ value }) => value);
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const low = Math.min(...values, middle * (1 - LEAST_REACH));
  const high = Math.max(...values, middle * (1 + LEAST_REACH));
  const { ticks, place } = axisOf(low, high, 2);
  const y = (value: number) => Number((EDGE + (1 - place(value) / 100) * (HEIGHT - 2 * EDGE)).toFixed(1));
  const first = points[0]?.session ?? 0;
  const span = Math.max(1, (points.at(-1)?.session ?? 0) - first);
  /** Per cent of the width, so that the picture fits any. */
  const x = (session: number) => Number((2 + ((session - first) / span) * 96).toFixed(2));

  const grid = ticks.map(({ value }) =>
    makeSvg('line', { x1: 0, x2: '100%', y1: y(value), y2: y(value), class: 'grid' }),
  );
  const changes = series.changes.flatMap((change) => {
    const at = `${x(change.session)}%`;
    const tone = toneOf(change);
    return [
      makeSvg('line', { x1: at, x2: at, y1: EDGE, y2: HEIGHT, class: `change-line ${tone}` }),
      makeSvg('use', { href: `#mark-${tone}`, x: at, y: EDGE / 2, class: `change-mark ${tone}` }),
    ];
  });
  const here = makeSvg('path', { class: 'dots here', d: '' });
  // One path for all values: a page has many charts.
  const paths = makeSvg(
    'svg',
    { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: 'none', height: HEIGHT, 'aria-hidden': 'true' },
    makeSvg('path', {
      class: 'line',
      d: points.map(({ session, value }, at) => `${at === 0 ? 'M' : 'L'}${x(session)} ${y(value)}`).join(''),
    }),
    here,
    makeSvg('path', {
      class: points.length > MOST_LARGE_DOTS ? 'dots many' : 'dots',
      d: points.map(({ session, value }) => `M${x(session)} ${y(value)}h0`).join(''),
    }),
    makeSvg('path', { class: 'means', d: meanPath(series.changes, points, x, y) }),
  );
  const svg = makeSvg(
    'svg',
    { role: 'img', height: HEIGHT, 'aria-label': description(series, timeline, points) },
    ...grid,
    ...changes,
    paths,
  );
  const labels = ticks.map(({ value, text }) => {
    const label = make('div', { class: 'tick' }, text);
    label.style.top = `${y(value)}px`;
    return label;
  });
  const tip = make('div', { class: 'tip', hidden: '' });
  const over = make('div', { class: 'over' }, svg, tip);
  over.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = svg.getBoundingClientRect();
    const pointed = ((clientX - left) / width) * 100;
    const distance = ({ session }: Point) => Math.abs(x(session) - pointed);
    const [near] = points.toSorted((a, b) => distance(a) - distance(b));
    if (near === undefined) return;
    tip.textContent = `${commitText(near.commit)}, ${near.date}: ${valueText(near.value)}`;
    tip.style.top = `${HEIGHT + 2}px`;
    tip.hidden = false;
    here.setAttribute('d', `M${x(near.session)} ${y(near.value)}h0`);
  });
  over.addEventListener('pointerleave', () => {
    tip.hidden = true;
    here.setAttribute('d', '');
  });
  return make('div', { class: 'chart' }, make('div', { class: 'sides' }, ...labels), over);
}

/** A horizontal line for each part between changes, at its mean. */
function meanPath(
  changes: readonly PayloadChange[],
  points: readonly Point[],
  x: (session: number) => number,
  y: (value: number) => number,
): string {
  const starts = [Number.NEGATIVE_INFINITY, ...changes.map(({ session }) => session)];
  const parts = starts.map((start, at) => {
    const end = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const part = points.filter(({ session }) => session >= start && session < end);
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) return '';
    const mean = part.reduce((sum, { value }) => sum + value / part.length, 0);
    return `M${x(first.session)} ${y(mean)}H${x(last.session)}`;
  });
  return parts.join('');
}

/** The first and the last session, below the picture. */
function ends(points: readonly Point[]): HTMLElement {
  const sides = [...new Set([points[0], points.at(-1)])].flatMap((point) =>
    point === undefined
      ? []
      : make('div', {}, make('span', {}, commitText(point.commit)), ' ', make('span', {}, point.date)),
  );
  return make('div', { class: 'ends' }, ...sides);
}

function changeList(changes: readonly PayloadChange[], { sessions }: Timeline): HTMLElement {
  const lines = changes.toReversed().map((change) => {
    const { commit = '', date = '' } = sessions[change.session] ?? {};
    const tone = toneOf(change);
    return make(
      'li',
      { class: tone },
      makeSvg(
        'svg',
        { class: 'mark', 'aria-hidden': 'true' },
        makeSvg('use', { href: `#mark-${tone}`, x: 6, y: 6 }),
      ),
      ' ',
      make('strong', {}, changeText(change.after / change.before - 1)),
      ' at ',
      make('code', { title: commit }, commitText(commit)),
      `, ${date}: ${valueText(change.before)} → ${valueText(change.after)}`,
    );
  });
  return make('ul', { class: 'changes' }, ...lines);
}

/** All values as a table, which is made when it is opened. */
function valueTable(points: readonly Point[], changes: readonly PayloadChange[]): HTMLElement {
  const count = `${points.length} value${points.length === 1 ? '' : 's'}`;
  const details = make('details', {}, make('summary', {}, count));
  details.addEventListener('toggle', () => {
    if (details.open && details.querySelector('table') === null) details.append(filledTable(points, changes));
  });
  return details;
}

function filledTable(points: readonly Point[], changes: readonly PayloadChange[]): HTMLElement {
  const changeAt = new Map(changes.map((change) => [change.session, change]));
  const titles = ['Commit', 'Measured', 'Value', 'Runs', 'Change'].map((title) =>
    make('th', { scope: 'col' }, title),
  );
  const rows = points.toReversed().map(({ session, commit, date, value, runs }) => {
    const change = changeAt.get(session);
    return make(
      'tr',
      {},
      make('th', { scope: 'row', title: commit }, commitText(commit)),
      make('td', {}, date),
      make('td', {}, valueText(value)),
      make('td', {}, String(runs)),
      make('td', {}, change === undefined ? '' : changeText(change.after / change.before - 1)),
    );
  });
  const table = make('table', {}, make('thead', {}, make('tr', {}, ...titles)), make('tbody', {}, ...rows));
  return make('div', { class: 'values', tabindex: 0, role: 'region', 'aria-label': 'Values' }, table);
}

function description(
  { benchmark, label, changes }: PayloadSeries,
  { sessions }: Timeline,
  points: readonly Point[],
): string {
  const [first, last] = [points[0], points.at(-1)];
  const found = changes.map(
    (change) =>
      `${changeText(change.after / change.before - 1)} at ${sessions[change.session]?.commit ?? ''}`,
  );
  const name = `${benchmark} ${label}`.trimEnd();
  const values = `${points.length} values from ${valueText(first?.value ?? 0)} to ${valueText(last?.value ?? 0)}`;
  return `${name}: ${values}. ${found.length === 0 ? 'No change' : `Changes: ${found.join('; ')}`}.`;
}

function toneOf({ before, after }: PayloadChange): 'slower' | 'faster' {
  return after < before ? 'slower' : 'faster';
}

function valueText(value: number): string {
  return rateText(value, DIGITS);
}
