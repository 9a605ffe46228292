/** The script of the page: it makes the picture and the table of the comparisons that a reader chose. */
import { enableCopy } from './command-box.ts';
import { tableBodies } from './comparison-table.ts';
import { caseDetails } from './details.ts';
import { effectScale } from './effect-scale.ts';
import { make, required } from './element.ts';
import { type Entry, entriesOf, sampleReader } from './entry.ts';
import { enableFlameGraphs } from './flame-graph.ts';
import { overview } from './overview.ts';
import type { Payload } from './payload.ts';
import { type Group, groupings, groupsOf, isSortKey, type View } from './view.ts';

const PAGE_ROWS = 100;
/** Rows on paper. */
const PRINTED_ROWS = 500;
/** Groups in the picture before a reader asks for all. */
const FIRST_LANES = 12;

const payload: Payload = JSON.parse(required('#data', Element).textContent);
const entries = entriesOf(payload);
const entriesByCase = Map.groupBy(entries, (entry) => entry.case);
const samplesOf = sampleReader(payload);
const scale = effectScale(entries);
const choices = groupings(entries);
const hasSubjects = payload.subjects.length > 2;

const table = required('#comparisons', HTMLTableElement);
const picture = required('#overview', HTMLElement);
const search = required('#search', HTMLInputElement);
const warned = required('#warned', HTMLInputElement);
const grouped = required('#group', HTMLSelectElement);
const status = required('#status', Element);
const pager = required('#pager', HTMLElement);
const [previous, next] = [required('#previous', HTMLButtonElement), required('#next', HTMLButtonElement)];
const allLanes = required('#all-lanes', HTMLButtonElement);
const verdictButtons = [...document.querySelectorAll<HTMLButtonElement>('button[data-verdict]')];
const headers = [...document.querySelectorAll<HTMLTableCellElement>('#comparisons th[data-sort]')];

let sort: View['sort'] = { key: 'verdict', descending: false };
let groups: readonly Group[] = [];
let page = 0;
const open = new Set<number>();

grouped.append(...choices.map(({ title }, at) => make('option', { value: at }, title)));
for (const header of headers) {
  header.querySelector('button')?.addEventListener('click', () => {
    const key = header.dataset['sort'];
    if (!isSortKey(key)) return;
    sort = { key, descending: sort.key === key && !sort.descending };
    update();
  });
}
for (const button of verdictButtons) {
  button.addEventListener('click', () => {
    press(button.getAttribute('aria-pressed') === 'true' ? undefined : button);
    update();
  });
}
for (const control of [search, warned, grouped]) control.addEventListener('input', () => update());
allLanes.addEventListener('click', () => {
  const isPressed = allLanes.getAttribute('aria-expanded') === 'true';
  allLanes.setAttribute('aria-expanded', String(!isPressed));
  drawPicture();
});
previous.addEventListener('click', () => turn(-1));
next.addEventListener('click', () => turn(1));
enableFlameGraphs();
for (const copy of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) enableCopy(copy);
for (const link of document.querySelectorAll<HTMLButtonElement>('button[data-row]')) {
  link.addEventListener('click', () => reveal(entries[Number(link.dataset['row'])]));
}
addEventListener('beforeprint', () => drawTable(0, PRINTED_ROWS));
addEventListener('afterprint', () => drawTable(page * PAGE_ROWS, PAGE_ROWS));
update();

function update(): void {
  const verdict = verdictButtons.find((it) => it.getAttribute('aria-pressed') === 'true')?.dataset['verdict'];
  const words = search.value.toLowerCase().split(/\s+/);
  groups = groupsOf(entries, { words, verdict, onlyWarned: warned.checked, sort, grouping: grouping() });
  page = 0;
  for (const header of headers) {
    const isSorted = header.dataset['sort'] === sort.key;
    header.setAttribute('aria-sort', isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none');
  }
  drawPicture();
  drawTable(0, PAGE_ROWS);
}

function grouping(): View['grouping'] {
  const [first] = choices;
  const chosen = choices[grouped.selectedIndex] ?? first;
  if (chosen === undefined) throw new Error('there is no grouping');
  return chosen;
}

function press(button: HTMLButtonElement | undefined): void {
  for (const it of verdictButtons) it.setAttribute('aria-pressed', String(it === button));
}

function drawPicture(): void {
  const isWhole = allLanes.getAttribute('aria-expanded') === 'true';
  allLanes.hidden = groups.length <= FIRST_LANES;
  allLanes.textContent = isWhole
    ? `Show the first ${FIRST_LANES} groups`
    : `Show all ${groups.length} groups`;
  const lanes = isWhole ? groups.length : FIRST_LANES;
  picture.replaceChildren(
    overview(groups, { scale, grouping: grouping(), hasSubjects, lanes, onSelect: reveal }),
  );
}

/** Shows a part of the rows, which can begin and end within groups. */
function drawTable(start: number, count: number): void {
  const total = groups.reduce((sum, group) => sum + group.entries.length, 0);
  const end = Math.min(total, start + count);
  let at = 0;
  const part = groups.flatMap(({ heading, entries }) => {
    const members = entries.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += entries.length;
    return members.length === 0 ? [] : [{ heading, entries: members }];
  });
  for (const body of [...table.tBodies]) body.remove();
  table.append(...tableBodies(part, { scale, grouping: grouping(), hasSubjects, open, detailsOf }));
  const all = total === entries.length ? `${total}` : `${total} (of ${entries.length})`;
  status.textContent = end - start < total ? `${start + 1} to ${end} of ${all}` : counted(total, all);
  pager.hidden = total <= PAGE_ROWS;
  previous.disabled = start === 0;
  next.disabled = end === total;
}

function counted(total: number, text: string): string {
  return total === 0 ? 'No comparison matches' : `${text} comparison${total === 1 ? '' : 's'}`;
}

function detailsOf(entry: Entry): HTMLElement {
  const members = entriesByCase.get(entry.case) ?? [entry];
  return caseDetails(members, samplesOf(members), payload.methods);
}

function turn(by: number): void {
  page += by;
  drawTable(page * PAGE_ROWS, PAGE_ROWS);
  table.scrollIntoView();
}

/** Opens an entry, whatever is filtered. */
function reveal(entry: Entry | undefined): void {
  if (entry === undefined) return;
  search.value = '';
  warned.checked = false;
  press(undefined);
  open.add(entry.id);
  update();
  page = Math.floor(groups.flatMap((group) => group.entries).indexOf(entry) / PAGE_ROWS);
  drawTable(page * PAGE_ROWS, PAGE_ROWS);
  const toggle = document.querySelector<HTMLElement>(`[aria-controls="details-${entry.id}"]`);
  toggle?.scrollIntoView({ block: 'start' });
  toggle?.focus();
}
