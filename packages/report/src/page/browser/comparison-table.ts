import { shortened } from '@bench-cli/results';
import { html } from 'ghtml';
import { verticalGrid } from '../../picture/mark.ts';
import {
  cellText,
  countsText,
  type Entry,
  intervalText,
  signedChange,
  TIE_TEXT,
  verdictClass,
} from './entry.ts';
import { changeMark, subjectMark, verdictMark } from './entry-mark.ts';
import type { EntryGroup, Shown } from './entry-view.ts';

interface TableOptions extends Shown {
  readonly open: ReadonlySet<number>;
  readonly detailsOf: (entry: Entry) => string;
}

const BAR_HEIGHT = 20;
const SUBJECT_LETTERS = 40;

export function tableBodies(groups: readonly EntryGroup[], options: TableOptions): string {
  const bodies = groups.map((group) => {
    const rows = group.entries.map((entry) => {
      const details = options.open.has(entry.id) ? detailsRow(entry, options) : '';
      return rowOf(entry, options) + details;
    });
    const heading = group.heading === '' ? '' : headingRow(group, options);
    return html`<tbody role="rowgroup">!${heading}!${rows}</tbody>`;
  });
  return bodies.join('');
}

function headingRow({ heading, entries }: EntryGroup, { grouping, hasSubjects }: TableOptions): string {
  const shared = grouping.title === 'benchmark' ? entries[0]?.benchmark.shared : '';
  return html`<tr role="row" class="group"><th scope="rowgroup" role="rowheader" colspan="${hasSubjects ? 8 : 7}"><span class="heading">${heading}</span> <span class="muted">${shared}</span><span class="counts">${countsText(entries)}</span></th></tr>`;
}

function rowOf(entry: Entry, { grouping, hasSubjects, open, scale }: TableOptions): string {
  const { id, verdict, reason, warnings } = entry;
  const { length: count } = warnings;
  const flag = html` <span class="flag" title="${warnings.join('\n')}">${count} warning${count === 1 ? '' : 's'}</span>`;
  const origin = scale.ticks.filter((tick) => tick === scale.origin);
  const bar =
    verticalGrid({ ...scale, ticks: origin }, BAR_HEIGHT) + changeMark(scale, entry, BAR_HEIGHT / 2, 4.5);
  return html`<tr role="row" class="${verdictClass(verdict)}${entry.isCommand ? ' timed' : ''}${entry.newMean === null ? ' unmeasured' : ''}"><th scope="row" role="rowheader" class="name"><button type="button" class="toggle" data-entry="${id}" aria-expanded="${open.has(id)}" aria-controls="details-${id}">${grouping.nameOf(entry)}</button>!${count > 0 ? flag : ''}</th>
!${hasSubjects ? subjectCell(entry) : ''}<td role="cell" class="verdict">!${verdictMark(verdict)} ${verdict}!${reason === undefined ? '' : html` <span class="muted">${reason}</span>`}</td>
<td role="cell" class="number old">${cellText(entry.oldMean, entry)}</td><td role="cell" class="number new">${cellText(entry.newMean, entry)}</td>
<td role="cell" class="number change">${signedChange(entry.change)}</td>
<td role="cell" class="bar"><svg height="${BAR_HEIGHT}" aria-hidden="true">!${bar}</svg><span class="interval">${intervalText(entry)}</span></td>
<td role="cell" class="number runs"><span class="word">${entry.nOld} + ${entry.nNew}</span>!${entry.failed === undefined ? '' : html` <span class="word">(${entry.failed.join(' + ')} failed)</span>`}</td></tr>`;
}

function subjectCell({ subject, letters }: Entry): string {
  return html`<td role="cell" class="subject">!${subjectMark(subject)} <span title="${subject.name}">${shortened(subject.name, SUBJECT_LETTERS)}</span> <span class="muted" title="${TIE_TEXT}">${letters?.[1]}</span></td>`;
}

export function detailsRow(entry: Entry, { hasSubjects, detailsOf }: TableOptions): string {
  return html`<tr role="row" class="details" id="details-${entry.id}"><td role="cell" colspan="${hasSubjects ? 8 : 7}">!${detailsOf(entry)}</td></tr>`;
}
