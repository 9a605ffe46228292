/** The script of the page. It makes the table of comparisons: sorts, filters, pages, and opens the details of a row. */
import { summarizeSample } from '@bench-cli/stats';
import { pValue, signedPercent } from '../../figure-text.ts';
import { make, makeSvg } from './element.ts';
import type { Payload, PayloadRow } from './payload.ts';
import { sampleChart } from './sample-chart.ts';

interface Entry extends PayloadRow {
  readonly id: number;
  /** The name in lower case, for the filter. */
  readonly text: string;
  /** Index of the first rate. */
  readonly start: number;
}

type SortKey = 'name' | 'verdict' | 'change' | 'p' | 'adjustedP' | 'runs';

const PAGE_ROWS = 100;
const COLUMNS = 7;
const VERDICT_ORDER = { slower: 0, faster: 1, undecided: 2, 'no difference': 3 } as const;

const payload: Payload = JSON.parse(required('#data', Element).textContent);
const rates = decode(payload.rates);
const entries = numbered(payload.rows);

const body = required('#comparisons tbody', Element);
const search = required('#search', HTMLInputElement);
const survivors = required('#survivors', HTMLInputElement);
const warned = required('#warned', HTMLInputElement);
const status = required('#status', Element);
const verdictButtons = [...document.querySelectorAll<HTMLButtonElement>('button[data-verdict]')];
const headers = [...document.querySelectorAll<HTMLTableCellElement>('#comparisons th[data-sort]')];
const previous = required('#previous', HTMLButtonElement);
const next = required('#next', HTMLButtonElement);

let shown: readonly Entry[] = [];
let page = 0;
let sort: { key: SortKey; descending: boolean } = { key: 'verdict', descending: false };
const open = new Set<number>();
const widest = Math.min(
  0.5,
  entries.reduce((most, { low, high }) => Math.max(most, Math.abs(low ?? 0), Math.abs(high ?? 0)), 0.01),
);

for (const header of headers) {
  header.querySelector('button')?.addEventListener('click', () => {
    const key = sortKey(header.dataset['sort']);
    sort = { key, descending: sort.key === key && !sort.descending };
    update();
  });
}
for (const verdict of verdictButtons) {
  verdict.addEventListener('click', () => {
    const pressed = verdict.getAttribute('aria-pressed') !== 'true';
    for (const other of verdictButtons)
      other.setAttribute('aria-pressed', String(other === verdict && pressed));
    update();
  });
}
for (const control of [search, survivors, warned]) control.addEventListener('input', () => update());
previous.addEventListener('click', () => turn(-1));
next.addEventListener('click', () => turn(1));
for (const copy of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) enableCopy(copy);
for (const link of document.querySelectorAll<HTMLButtonElement>('button[data-row]')) {
  link.addEventListener('click', () => reveal(Number(link.dataset['row'])));
}
update();

/** Filters and sorts the rows, and shows the first page. */
function update(): void {
  const words = search.value.toLowerCase().split(/\s+/);
  const verdict = verdictButtons.find((it) => it.getAttribute('aria-pressed') === 'true')?.dataset['verdict'];
  shown = entries
    .filter(
      (entry) =>
        words.every((word) => entry.text.includes(word)) &&
        (verdict === undefined || entry.verdict === verdict) &&
        (!survivors.checked || entry.survives) &&
        (!warned.checked || entry.warnings.length > 0),
    )
    .sort((a, b) => (sort.descending ? compareBy(b, a) : compareBy(a, b)) || a.id - b.id);
  page = 0;
  for (const header of headers) {
    const isSorted = header.dataset['sort'] === sort.key;
    header.setAttribute('aria-sort', isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none');
  }
  render();
}

function turn(by: number): void {
  page += by;
  render();
  required('#comparisons', Element).scrollIntoView();
}

function render(): void {
  const start = page * PAGE_ROWS;
  const part = shown.slice(start, start + PAGE_ROWS);
  body.replaceChildren(
    ...part.flatMap((entry) => (open.has(entry.id) ? [rowOf(entry), detailsOf(entry)] : [rowOf(entry)])),
  );
  const range =
    part.length === 0 ? 'No comparison' : `${start + 1} to ${start + part.length} of ${shown.length}`;
  status.textContent = shown.length === entries.length ? range : `${range} (filtered from ${entries.length})`;
  previous.disabled = page === 0;
  next.disabled = start + PAGE_ROWS >= shown.length;
}

function rowOf(entry: Entry): HTMLTableRowElement {
  const toggle = make(
    'button',
    {
      type: 'button',
      class: 'toggle',
      'aria-expanded': String(open.has(entry.id)),
      'aria-controls': `details-${entry.id}`,
    },
    make('span', { class: 'benchmark' }, entry.benchmark),
    ' ',
    make('span', {}, entry.configuration),
  );
  const name = make('th', { scope: 'row' }, toggle);
  const { length: warnings } = entry.warnings;
  if (warnings > 0)
    name.append(make('span', { class: 'flag', title: `${warnings} warnings` }, `⚠ ${warnings}`));
  const interval = make('span', { class: 'interval' }, intervalText(entry));
  const row = make(
    'tr',
    { class: entry.verdict.replace(' ', '-') },
    name,
    make('td', { class: 'verdict' }, entry.verdict),
    numberCell(changeText(entry.change)),
    make('td', { class: 'bar' }, intervalBar(entry), interval),
    numberCell(pText(entry.p)),
    numberCell(pText(entry.adjustedP)),
    numberCell(`${entry.nOld} + ${entry.nNew}`),
  );
  toggle.addEventListener('click', () => {
    if (open.delete(entry.id)) row.nextElementSibling?.remove();
    else {
      open.add(entry.id);
      row.after(detailsOf(entry));
    }
    toggle.setAttribute('aria-expanded', String(open.has(entry.id)));
  });
  return row;
}

function numberCell(text: string): HTMLTableCellElement {
  return make('td', { class: 'number' }, text);
}

function detailsOf(entry: Entry): HTMLTableRowElement {
  const old = ratesOf(entry, entry.start, entry.nOld);
  const new_ = ratesOf(entry, entry.start + entry.nOld, entry.nNew);
  const cell = make('td', { colspan: COLUMNS }, sampleChart({ old, new: new_ }), figuresOf(entry, old, new_));
  if (entry.warnings.length > 0)
    cell.append(make('ul', { class: 'warnings' }, ...entry.warnings.map((text) => make('li', {}, text))));
  const copy = make('button', { type: 'button', 'data-copy': '' }, 'Copy');
  enableCopy(copy);
  cell.append(
    make('p', { class: 'label' }, 'Measure this configuration again:'),
    make('div', { class: 'command' }, make('code', {}, entry.command), copy),
  );
  return make('tr', { class: 'details', id: `details-${entry.id}` }, cell);
}

function ratesOf({ unit }: Entry, start: number, count: number): Float64Array {
  return Float64Array.from(rates.subarray(start, start + count), (rate) => rate * unit);
}

function figuresOf(entry: Entry, old: Float64Array, new_: Float64Array): HTMLElement {
  const titles = ['Subject', 'Runs', 'Mean', 'Median', 'Standard deviation', 'Lowest', 'Highest'];
  const line = (name: string, sample: Float64Array) =>
    make('tr', {}, make('th', { scope: 'row' }, name), ...statistics(sample).map(numberCell));
  const table = make(
    'table',
    { class: 'figures' },
    make('caption', {}, 'Operations per second'),
    make('tr', {}, ...titles.map((title) => make('th', { scope: 'col' }, title))),
    line('old', old),
    line('new', new_),
  );
  const { test, rankTest } = payload.methods[entry.method] ?? { test: 'test' };
  const figures = [
    `p ${pText(entry.p)} (${test})`,
    `corrected ${pText(entry.adjustedP)}`,
    ...(entry.rankP === undefined ? [] : [`p ${pText(entry.rankP)} (${rankTest ?? 'rank test'})`]),
    ...(entry.effect === undefined
      ? []
      : [`Hedges' g ${entry.effect === null ? 'none' : entry.effect.toFixed(2)}`]),
    `interval of the change ${intervalText(entry) || 'none'}`,
  ];
  return make('div', {}, table, make('p', {}, figures.join(' · ')));
}

function statistics(sample: Float64Array): string[] {
  if (sample.length === 0) return ['0', 'none', 'none', 'none', 'none', 'none'];
  const { n, mean, median, variance, min, max } = summarizeSample(sample);
  const deviation = variance === null ? null : Math.sqrt(variance);
  return [
    String(n),
    number(mean),
    number(median),
    deviation === null ? 'none' : `${number(deviation)} (${((deviation / mean) * 100).toFixed(1)} %)`,
    number(min),
    number(max),
  ];
}

function number(value: number): string {
  if (value !== 0 && (value >= 1e15 || value < 1e-3)) return value.toExponential(4);
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 5 }).format(value);
}

/** The interval of the change on a line from -widest to +widest, the same for all rows. */
function intervalBar({ low, high, change }: Entry): SVGElement {
  const x = (value: number) => 60 + (Math.max(-widest, Math.min(widest, value)) / widest) * 56;
  const zero = makeSvg('line', { x1: 60, x2: 60, y1: 0, y2: 16, class: 'zero' });
  const svg = makeSvg('svg', { viewBox: '0 0 120 16', 'aria-hidden': 'true' }, zero);
  if (low === null || high === null || change === null) return svg;
  svg.append(
    makeSvg('line', { x1: x(low), x2: x(high), y1: 8, y2: 8, class: 'range' }),
    makeSvg('circle', { cx: x(change), cy: 8, r: 3.5, class: 'point' }),
  );
  return svg;
}

function intervalText({ low, high }: Entry): string {
  return low === null || high === null ? '' : `${changeText(low)} to ${changeText(high)}`;
}

function changeText(fraction: number | null): string {
  return fraction === null ? 'none' : `${signedPercent(fraction)} %`;
}

function pText(p: number | null): string {
  return p === null ? 'none' : pValue(p);
}

function reveal(id: number): void {
  const entry = entries[id];
  if (entry === undefined) return;
  search.value = '';
  survivors.checked = false;
  warned.checked = false;
  for (const verdict of verdictButtons) verdict.setAttribute('aria-pressed', 'false');
  open.add(id);
  update();
  page = Math.floor(shown.indexOf(entry) / PAGE_ROWS);
  render();
  const toggle = document.querySelector<HTMLElement>(`[aria-controls="details-${id}"]`);
  toggle?.scrollIntoView({ block: 'start' });
  toggle?.focus();
}

function enableCopy(copy: HTMLButtonElement): void {
  copy.addEventListener('click', () => {
    const text = copy.parentElement?.querySelector('code')?.textContent ?? '';
    navigator.clipboard.writeText(text).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => {
        copy.textContent = 'Could not copy: select the text';
      },
    );
  });
}

function compareBy(a: Entry, b: Entry): number {
  const key = sort.key;
  switch (key) {
    case 'name':
      return a.id - b.id;
    case 'verdict':
      return VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict] || size(b.change) - size(a.change);
    case 'runs':
      return a.nOld + a.nNew - b.nOld - b.nNew;
    default: {
      // Rows without the figure come last in both directions.
      const last = sort.descending ? -Number.MAX_VALUE : Number.MAX_VALUE;
      return (a[key] ?? last) - (b[key] ?? last);
    }
  }
}

function size(change: number | null): number {
  return Math.abs(change ?? 0);
}

function sortKey(text: string | undefined): SortKey {
  const keys: readonly SortKey[] = ['name', 'verdict', 'change', 'p', 'adjustedP', 'runs'];
  return keys.find((key) => key === text) ?? 'name';
}

function numbered(rows: readonly PayloadRow[]): Entry[] {
  let start = 0;
  return rows.map((row, id) => {
    const entry = { ...row, id, start, text: `${row.benchmark} ${row.configuration}`.toLowerCase() };
    start += row.nOld + row.nNew;
    return entry;
  });
}

function decode(base64: string): Float32Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return new Float32Array(bytes.buffer);
}

function required<Type extends Element>(selector: string, type: new () => Type): Type {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}
