/** The script of the page: it makes the picture and the table of the comparisons that a reader chose. */
import { tableBodies } from './comparison-table.ts';
import { caseDetails, enableCopy } from './details.ts';
import { effectScale } from './effect-scale.ts';
import { make, required } from './element.ts';
import { type Entry, entriesOf, sampleReader } from './entry.ts';
import { enableFlameGraphs } from './flame-graph.ts';
import { overview } from './overview.ts';
import { createPager } from './pager.ts';
import type { Payload } from './payload.ts';
import { type Group, groupings, groupsOf, isSortKey, type Shown, type View } from './view.ts';

const PAGE_ROWS = 100;
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
const allLanes = required('#all-lanes', HTMLButtonElement);
const verdictButtons = [...document.querySelectorAll<HTMLButtonElement>('button[data-verdict]')];
const headers = [...document.querySelectorAll<HTMLTableCellElement>('#comparisons th[data-sort]')];

let sort: View['sort'] = { key: 'verdict', descending: false };
let groups: readonly Group[] = [];
const pager = createPager(PAGE_ROWS, () => {
  drawTable();
  table.scrollIntoView();
});
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
enableFlameGraphs();
for (const copy of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) enableCopy(copy);
for (const link of document.querySelectorAll<HTMLButtonElement>('button[data-row]')) {
  link.addEventListener('click', () => reveal(entries[Number(link.dataset['row'])]));
}
addEventListener('beforeprint', () => drawTable(PRINTED_ROWS));
addEventListener('afterprint', () => drawTable());
update();

function update(): void {
  const verdict = verdictButtons.find((it) => it.getAttribute('aria-pressed') === 'true')?.dataset['verdict'];
  const words = search.value.toLowerCase().split(/\s+/);
  groups = groupsOf(entries, { words, verdict, onlyWarned: warned.checked, sort, grouping: grouping() });
  pager.goTo(0);
  for (const header of headers) {
    const isSorted = header.dataset['sort'] === sort.key;
    header.setAttribute('aria-sort', isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none');
  }
  drawPicture();
  drawTable();
}

function grouping(): View['grouping'] {
  const [first] = choices;
  const chosen = choices[grouped.selectedIndex] ?? first;
  if (chosen === undefined) throw new Error('there is no grouping');
  return chosen;
}

function shown(): Shown {
  return { scale, grouping: grouping(), hasSubjects };
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
  picture.replaceChildren(overview(groups, { ...shown(), lanes, onSelect: reveal }));
}

/**
 * Shows a part of the rows, which can begin and end within groups.
 * @param printed shows so many from the first on, instead of those of the page
 */
function drawTable(printed?: number): void {
  const total = groups.reduce((sum, group) => sum + group.entries.length, 0);
  const first = printed === undefined ? undefined : { start: 0, end: Math.min(total, printed) };
  const { start, end } = pager.show(total, entries.length, first);
  let at = 0;
  const part = groups.flatMap(({ heading, entries }) => {
    const members = entries.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += entries.length;
    return members.length === 0 ? [] : [{ heading, entries: members }];
  });
  for (const body of [...table.tBodies]) body.remove();
  table.append(...tableBodies(part, { ...shown(), open, detailsOf }));
}

function detailsOf(entry: Entry): HTMLElement {
  const members = entriesByCase.get(entry.case) ?? [entry];
  return caseDetails(members, samplesOf(members), payload.methods);
}

/** Opens an entry, whatever is filtered. */
function reveal(entry: Entry | undefined): void {
  if (entry === undefined) return;
  search.value = '';
  warned.checked = false;
  press(undefined);
  open.add(entry.id);
  update();
  pager.goTo(groups.flatMap((group) => group.entries).indexOf(entry));
  drawTable();
  const toggle = document.querySelector<HTMLElement>(`[aria-controls="details-${entry.id}"]`);
  toggle?.scrollIntoView({ block: 'start' });
  toggle?.focus();
}
