import { makeSvg } from './element.ts';
import { type Entry, type Subject, verdictClass } from './entry.ts';

/** The symbols of the page, drawn around their origin. They differ in shape, for readers who cannot distinguish the colours. */

export function verdictMark(verdict: Entry['verdict']): SVGElement {
  const name = verdictClass(verdict);
  return makeSvg(
    'svg',
    { class: `mark ${name}`, 'aria-hidden': 'true' },
    makeSvg('use', { href: `#mark-${name}`, x: 6, y: 6 }),
  );
}

/** Shapes and colours repeat after this number of subjects. */
const SHAPES = 4;

export function subjectClass({ index }: Subject): string {
  return `subject-${index % SHAPES}`;
}

export function subjectMark(subject: Subject): SVGElement {
  return makeSvg('svg', { class: 'mark', 'aria-hidden': 'true' }, runMark(subject, '6', 6));
}

export function runMark(subject: Subject, x: string, y: number): SVGElement {
  const href = `#shape-${subject.index % SHAPES}`;
  return makeSvg('use', { href, x, y: Number(y.toFixed(1)), class: `run ${subjectClass(subject)}` });
}
