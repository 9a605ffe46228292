/** The script of the page: draws the picture and the table of the comparisons that a reader selects. */
import { html } from 'ghtml';
import { detailsRow, tableBodies } from './comparison-table.ts';
import { caseDetails } from './details.ts';
import { type Entry, entriesOf, sampleReader } from './entry.ts';
import { changeScale } from './entry-mark.ts';
import { type EntryGroup, groupings, groupsOf, isSortKey, type View } from './entry-view.ts';
import { entriesIn, entryAt, overview, plotAt, showTip } from './overview.ts';
import type { Payload } from './payload-format.ts';

const PAGE_ROWS = 100;
const PRINTED_ROWS = 500;
/** Groups in the picture before a reader asks for all. */
const FIRST_LANES = 12;

const payload: Payload = JSON.parse(required('#data', Element).textContent);
const entries = entriesOf(payload);
const entriesByCase = Map.groupBy(entries, (entry) => entry.case);
const samplesOf = sampleReader(payload);
const scale = changeScale(entries);
const choices = groupings(entries);
const hasSubjects = payload.subjects.length > 2;

const table = required('#comparisons', HTMLTableElement);
const picture = required('#overview', HTMLElement);
const search = required('#search', HTMLInputElement);
const warned = required('#warned', HTMLInputElement);
const grouped = required('#group', HTMLSelectElement);
const allLanes = required('#all-lanes', HTMLButtonElement);
const status = required('#status', Element);
const pager = required('#pager', HTMLElement);
const previous = required('#previous', HTMLButtonElement);
const next = required('#next', HTMLButtonElement);

let sort: View['sort'] = { key: 'verdict', descending: false };
let groups: readonly EntryGroup[] = [];
let page = 0;
let named: Entry | undefined;
/** The `id`s of entries with open details. */
const open = new Set<number>();

const actions: Readonly<Record<string, (element: HTMLElement) => void>> = {
  'th[data-sort] button': ({ parentElement }) => {
    const key = parentElement?.dataset['sort'];
    if (!isSortKey(key)) return;
    sort = { key, descending: sort.key === key && !sort.descending };
    update();
  },
  '[data-verdict]': (button) => {
    press(button.getAttribute('aria-pressed') === 'true' ? undefined : button);
    update();
  },
  '#all-lanes': () => {
    allLanes.setAttribute('aria-expanded', String(!isWhole()));
    drawPicture();
  },
  '#previous': () => turnTo(page - 1),
  '#next': () => turnTo(page + 1),
  '.toggle': toggle,
  '[data-row]': ({ dataset }) => reveal(entries[Number(dataset['row'])]),
  '[data-copy]': copy,
};

document.addEventListener('click', ({ target }) => {
  for (const [selector, act] of Object.entries(actions)) {
    const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
    if (element !== null) act(element);
  }
});
for (const control of [search, warned, grouped]) control.addEventListener('input', update);
picture.addEventListener('click', (event) => {
  const entry = entryAt(event, groups);
  // A finger has no other way to read a name than to touch it.
  if ('pointerType' in event && event.pointerType === 'touch' && entry !== named) name(entry);
  else reveal(entry);
});
for (const type of ['pointermove', 'pointerleave'] as const)
  picture.addEventListener(type, (event) => {
    if (event.pointerType !== 'touch') name(entryAt(event, groups));
  });
picture.addEventListener('focusin', (event) => nameNext(event, 0));
picture.addEventListener('focusout', () => name(undefined));
picture.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
  if (step === undefined || plotAt(event) === null) return;
  event.preventDefault();
  if (step === 0) reveal(named);
  else nameNext(event, step);
});
addEventListener('beforeprint', () => drawTable(0, PRINTED_ROWS));
addEventListener('afterprint', () => drawTable());
grouped.innerHTML = choices.map(({ title }) => html`<option>${title}</option>`).join('');
update();

function update(): void {
  const pressed = document.querySelector<HTMLElement>('[data-verdict][aria-pressed=true]');
  const words = search.value.toLowerCase().split(/\s+/);
  const verdict = pressed?.dataset['verdict'];
  const { grouping } = shown();
  groups = groupsOf(entries, { words, verdict, onlyWarned: warned.checked, sort, grouping });
  page = 0;
  for (const header of document.querySelectorAll<HTMLElement>('th[data-sort]')) {
    const direction = sort.descending ? 'descending' : 'ascending';
    header.setAttribute('aria-sort', header.dataset['sort'] === sort.key ? direction : 'none');
  }
  drawPicture();
  drawTable();
}

function shown() {
  return { scale, grouping: choices[grouped.selectedIndex] ?? choices[0], hasSubjects };
}

function name(entry: Entry | undefined): void {
  named = entry;
  showTip(entry, groups, shown());
}

/** Names a comparison beside the named one, at first the first one of the plot. */
function nameNext(event: Event, step: number): void {
  const plot = plotAt(event);
  if (!plot?.matches(':focus-visible')) return;
  const entries = entriesIn(plot, groups);
  const at = named === undefined ? 0 : Math.max(0, entries.indexOf(named) + step);
  name(entries[Math.min(entries.length - 1, at)]);
}

function press(button: HTMLElement | undefined): void {
  for (const it of document.querySelectorAll('[data-verdict]'))
    it.setAttribute('aria-pressed', String(it === button));
}

function isWhole(): boolean {
  return allLanes.getAttribute('aria-expanded') === 'true';
}

function drawPicture(): void {
  allLanes.hidden = groups.length <= FIRST_LANES;
  allLanes.textContent = isWhole()
    ? `Show the first ${FIRST_LANES} groups`
    : `Show all ${groups.length} groups`;
  picture.innerHTML = overview(groups, shown(), isWhole() ? groups.length : FIRST_LANES);
}

function turnTo(number: number): void {
  page = number;
  drawTable();
  table.scrollIntoView();
}

/** Shows some rows, by default of the current page. The rows can begin and end within groups. */
function drawTable(start = page * PAGE_ROWS, most = PAGE_ROWS): void {
  const total = groups.reduce((sum, group) => sum + group.entries.length, 0);
  const end = Math.min(total, start + most);
  let at = 0;
  const part = groups.flatMap(({ heading, entries }) => {
    const members = entries.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += entries.length;
    return members.length === 0 ? [] : [{ heading, entries: members }];
  });
  for (const body of [...table.tBodies]) body.remove();
  table.insertAdjacentHTML('beforeend', tableBodies(part, tableOptions()));
  status.textContent = statusText(start, end, total);
  pager.hidden = total <= PAGE_ROWS;
  previous.disabled = start === 0;
  next.disabled = end === total;
}

function tableOptions() {
  const detailsOf = (entry: Entry) => {
    const members = entriesByCase.get(entry.case) ?? [entry];
    return caseDetails(members, samplesOf(members), payload.test);
  };
  return { ...shown(), open, detailsOf };
}

function statusText(start: number, end: number, total: number): string {
  const number = total === entries.length ? `${total}` : `${total} (of ${entries.length})`;
  if (total === 0) return 'No comparison matches';
  if (end - start < total) return `${start + 1} to ${end} of ${number} comparisons`;
  return `${number} comparison${total === 1 ? '' : 's'}`;
}

function toggle(button: HTMLElement): void {
  const entry = entries[Number(button.dataset['entry'])];
  const row = button.closest('tr');
  if (entry === undefined || row === null) return;
  if (open.delete(entry.id)) row.nextElementSibling?.remove();
  else {
    open.add(entry.id);
    row.insertAdjacentHTML('afterend', detailsRow(entry, tableOptions()));
  }
  button.setAttribute('aria-expanded', String(open.has(entry.id)));
}

/** Opens an entry and resets filters that hide it. */
function reveal(entry: Entry | undefined): void {
  if (entry === undefined) return;
  search.value = '';
  warned.checked = false;
  press(undefined);
  open.add(entry.id);
  update();
  page = Math.floor(groups.flatMap((group) => group.entries).indexOf(entry) / PAGE_ROWS);
  drawTable();
  const button = document.querySelector<HTMLElement>(`[aria-controls="details-${entry.id}"]`);
  button?.scrollIntoView({ block: 'start' });
  button?.focus();
}

function copy(button: HTMLElement): void {
  const text = button.parentElement?.querySelector('code')?.textContent ?? '';
  const show = (outcome: string) => () => {
    button.textContent = outcome;
  };
  navigator.clipboard.writeText(text).then(show('Copied'), show('Could not copy: select the text'));
}

function required<Type extends Element>(selector: string, type: new () => Type): Type {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}
