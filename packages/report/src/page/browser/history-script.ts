/** The script of a history's page: it draws the charts of the series that a reader chose. */
import { required } from './element.ts';
import type { HistoryPayload, PayloadSeries, Timeline } from './history-payload.ts';
import { Pager } from './pager.ts';
import { seriesChart } from './series-chart.ts';

const PAGE_CHARTS = 48;

interface Item {
  readonly id: number;
  readonly series: PayloadSeries;
  readonly timeline: Timeline;
  /** The text that is searched, in lower case. */
  readonly text: string;
  /** The date of the latest change; empty without one. */
  readonly latest: string;
  /** The largest change, a fraction. */
  readonly largest: number;
}

const payload: HistoryPayload = JSON.parse(required('#data', Element).textContent);
const hasSeveral = payload.timelines.length > 1;
const items = payload.series.flatMap((series, id): Item | readonly [] => {
  const timeline = payload.timelines[series.timeline];
  if (timeline === undefined) return [];
  const changed = series.changes.map(({ session }) => timeline.sessions[session]);
  const place = hasSeveral ? ` ${timeline.measure} ${timeline.machine}` : '';
  const commits = changed.map((session) => session?.commit ?? '').join(' ');
  return {
    id,
    series,
    timeline,
    text: `${series.benchmark} ${series.label}${place} ${commits}`.toLowerCase(),
    latest: changed.at(-1)?.date ?? '',
    largest: Math.max(0, ...series.changes.map(({ before, after }) => Math.abs(after / before - 1))),
  };
});

const charts = required('#series', HTMLElement);
const search = required('#search', HTMLInputElement);
const onlyChanged = required('#changed', HTMLInputElement);
const sorted = required('#sort', HTMLSelectElement);
const machine = document.querySelector<HTMLSelectElement>('#machine');
const measure = document.querySelector<HTMLSelectElement>('#measure');

let shown: readonly Item[] = [];
const pager = new Pager(PAGE_CHARTS, 'chart', () => {
  draw();
  required('#charts', HTMLElement).scrollIntoView();
});

for (const control of [search, onlyChanged, sorted, machine, measure]) {
  control?.addEventListener('input', update);
}
for (const link of document.querySelectorAll<HTMLButtonElement>('button[data-series]')) {
  link.addEventListener('click', () => reveal(Number(link.dataset['series'])));
}
for (const link of document.querySelectorAll<HTMLButtonElement>('button[data-commit]')) {
  link.addEventListener('click', () => {
    showAll();
    search.value = link.dataset['commit'] ?? '';
    update();
    required('#charts', HTMLElement).scrollIntoView();
    search.focus({ preventScroll: true });
  });
}
update();

function update(): void {
  const words = search.value.toLowerCase().split(/\s+/);
  shown = items
    .filter(
      ({ text, series, timeline }) =>
        words.every((word) => text.includes(word)) &&
        (!onlyChanged.checked || series.changes.length > 0) &&
        (!machine?.value || timeline.machine === machine.value) &&
        (!measure?.value || timeline.measure === measure.value),
    )
    .sort((a, b) => order(a, b) || a.id - b.id);
  pager.goTo(0);
  draw();
}

function order(a: Item, b: Item): number {
  if (sorted.value === 'largest') return b.largest - a.largest;
  if (sorted.value === 'name') return compare(a.series.benchmark, b.series.benchmark);
  return compare(b.latest, a.latest);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function draw(): void {
  const { start, end } = pager.show(shown.length, items.length);
  const figures = shown.slice(start, end).map(({ id, series, timeline }) => {
    const figure = seriesChart(series, timeline, hasSeveral);
    figure.id = `series-${id}`;
    figure.tabIndex = -1;
    return figure;
  });
  charts.replaceChildren(...figures);
}

/** Shows a series, whatever is filtered. */
function reveal(id: number): void {
  showAll();
  update();
  pager.goTo(shown.findIndex((item) => item.id === id));
  draw();
  const figure = required(`#series-${id}`, HTMLElement);
  figure.scrollIntoView({ block: 'start' });
  figure.focus();
}

function showAll(): void {
  search.value = '';
  onlyChanged.checked = false;
  for (const select of [machine, measure]) if (select) select.value = '';
}
