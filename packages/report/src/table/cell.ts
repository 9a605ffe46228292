import { argumentsOf, type Configuration, displayWidth, shownIn, wrapped } from '@bench-cli/results';
import { type Comparison, verdictWord } from '@bench-cli/stats';
import { shortened } from '../figure-text.ts';
import { undecidedReason } from '../reason-text.ts';

/** Pads a text to a width in terminal columns. */
export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** The width of the widest text, in terminal columns. */
export function widest(texts: Iterable<string>): number {
  let width = 0;
  for (const text of texts) width = Math.max(width, displayWidth(text));
  return width;
}

/** Leaves out the middle of a text that exceeds a width in terminal columns. */
export function fitted(text: string, width: number): string {
  return shortened(text, width, displayWidth);
}

/** A verdict, with the reason of an undecided verdict. */
export function verdictCell(comparison: Comparison): string {
  const reason = undecidedReason(comparison);
  return `${verdictWord(comparison)}${reason === undefined ? '' : `: ${reason}`}`;
}

/** A heading with a benchmark and its shared parameters, broken into lines that fit. */
export function benchmarkHeading(
  benchmark: string,
  shared: Configuration,
  width: number,
  varied = '',
): string {
  return wrapped(shownIn('cell', [benchmark, ...argumentsOf(shared)].join(' ') + varied), width, '    ');
}
