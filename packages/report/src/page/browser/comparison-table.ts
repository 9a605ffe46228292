import { shortened } from '../../figure-text.ts';
import { effectGrid, effectMark } from './effect-scale.ts';
import { make, makeSvg } from './element.ts';
import {
  changeText,
  countsText,
  type Entry,
  intervalText,
  meanText,
  pText,
  TIE_TEXT,
  verdictClass,
} from './entry.ts';
import { subjectMark, verdictMark } from './mark.ts';
import type { Group, Shown } from './view.ts';

interface TableOptions extends Shown {
  /** The entries that are open, by `id`. */
  readonly open: Set<number>;
  readonly detailsOf: (entry: Entry) => HTMLElement;
}

const BAR_HEIGHT = 20;
const SUBJECT_LETTERS = 40;

export function tableBodies(groups: readonly Group[], options: TableOptions): readonly HTMLElement[] {
  return groups.map(({ heading, entries }) => {
    const rows = entries.flatMap((entry) => rowsOf(entry, options));
    return make(
      'tbody',
      { role: 'rowgroup' },
      ...(heading === '' ? [] : [headingRow(heading, entries, options)]),
      ...rows,
    );
  });
}

function headingRow(
  heading: string,
  entries: readonly Entry[],
  { grouping, hasSubjects }: TableOptions,
): HTMLElement {
  const [first] = entries;
  const shared = grouping.title === 'benchmark' ? (first?.benchmark.shared ?? '') : '';
  const cell = make(
    'th',
    { scope: 'rowgroup', role: 'rowheader', colspan: hasSubjects ? 9 : 8 },
    make('span', { class: 'heading' }, heading),
    ' ',
    make('span', { class: 'muted' }, shared),
    make('span', { class: 'counts' }, countsText(entries)),
  );
  return make('tr', { role: 'row', class: 'group' }, cell);
}

function rowsOf(entry: Entry, options: TableOptions): HTMLElement[] {
  const { grouping, hasSubjects, open, detailsOf } = options;
  const id = `details-${entry.id}`;
  const toggle = make(
    'button',
    { type: 'button', class: 'toggle', 'aria-expanded': String(open.has(entry.id)), 'aria-controls': id },
    grouping.nameOf(entry),
  );
  const name = make('th', { scope: 'row', role: 'rowheader', class: 'name' }, toggle);
  const { length: warnings } = entry.warnings;
  if (warnings > 0) {
    const text = `${warnings} warning${warnings === 1 ? '' : 's'}`;
    name.append(' ', make('span', { class: 'flag', title: entry.warnings.join('\n') }, text));
  }
  const row = make(
    'tr',
    { role: 'row', class: verdictClass(entry.verdict) },
    name,
    ...(hasSubjects ? [subjectCell(entry)] : []),
    cell('verdict', verdictMark(entry.verdict), ' ', entry.verdict, startUpPart(entry)),
    cell('number old', meanText(entry.oldMean)),
    cell('number new', meanText(entry.newMean)),
    cell('number change', changeText(entry.change)),
    cell('bar', intervalBar(entry, options), make('span', { class: 'interval' }, intervalText(entry))),
    cell('number p', pText(entry.adjustedP)),
    cell('number runs', `${entry.nOld} + ${entry.nNew}`),
  );
  const details = () =>
    make(
      'tr',
      { role: 'row', class: 'details', id },
      make('td', { role: 'cell', colspan: hasSubjects ? 9 : 8 }, detailsOf(entry)),
    );
  toggle.addEventListener('click', () => {
    if (open.delete(entry.id)) row.nextElementSibling?.remove();
    else {
      open.add(entry.id);
      row.after(details());
    }
    toggle.setAttribute('aria-expanded', String(open.has(entry.id)));
  });
  return open.has(entry.id) ? [row, details()] : [row];
}

function cell(className: string, ...content: readonly (Node | string)[]): HTMLElement {
  return make('td', { role: 'cell', class: className }, ...content);
}

function startUpPart({ startUp }: Entry): HTMLElement | string {
  if (startUp === undefined || startUp.label === '') return '';
  return make('span', { class: 'muted', title: startUp.text }, `: ${startUp.label}`);
}

function subjectCell({ subject, letters }: Entry): HTMLElement {
  const [, ofSubject = ''] = letters ?? [];
  const tie = make('span', { class: 'muted', title: TIE_TEXT }, ofSubject);
  const name = make('span', { title: subject.name }, shortened(subject.name, SUBJECT_LETTERS));
  return cell('subject', subjectMark(subject), ' ', name, ' ', tie);
}

function intervalBar(entry: Entry, { scale }: TableOptions): SVGElement {
  return makeSvg(
    'svg',
    { height: BAR_HEIGHT, 'aria-hidden': 'true' },
    ...effectGrid({ ...scale, ticks: [0] }, BAR_HEIGHT),
    ...effectMark(scale, entry, BAR_HEIGHT / 2, 4.5),
  );
}
