import type { RateWord } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { type EntrySubject, verdictClass } from './entry.ts';

/** The symbols of the page, as HTML. They differ in shape, for readers who cannot distinguish the colours. */

export function verdictMark(verdict: RateWord): string {
  return html`<svg class="mark" aria-hidden="true"><use href="#mark-${verdictClass(verdict)}" x="6" y="6"/></svg>`;
}

/** Shapes and colours repeat after this number of subjects. */
const SHAPES = 4;

export function subjectClass({ index }: EntrySubject): string {
  return `subject-${index % SHAPES}`;
}

export function subjectMark(subject: EntrySubject): string {
  return html`<svg class="mark" aria-hidden="true">!${runMark(subject, '6', 6)}</svg>`;
}

export function runMark(subject: EntrySubject, x: string, y: number): string {
  return html`<use href="#shape-${subject.index % SHAPES}" x="${x}" y="${Number(y.toFixed(1))}" class="run ${subjectClass(subject)}"/>`;
}
