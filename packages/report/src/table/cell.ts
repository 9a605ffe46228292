import {
  type Configuration,
  displayWidth,
  groupName,
  shortened,
  shortName,
  wrapped,
} from '@bench-cli/results';
import type { Comparison } from '@bench-cli/stats';
import { resultWord, undecidedReason } from '../reason-text.ts';

export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

export function widest(texts: Iterable<string>): number {
  let width = 0;
  for (const text of texts) width = Math.max(width, displayWidth(text));
  return width;
}

export function fitted(text: string, width: number): string {
  return shortened(text, width, displayWidth);
}

/** A verdict, with the reason of an undecided verdict. */
export function verdictCell(comparison: Comparison): string {
  const [word, reason] = [resultWord(comparison), undecidedReason(comparison)];
  return reason === undefined || reason === word ? word : `${word}: ${reason}`;
}

/** A heading with a benchmark and its shared parameters, broken into lines that fit. */
export function benchmarkHeading(
  benchmark: string,
  shared: Configuration,
  width: number,
  varied = '',
): string {
  const words = groupName(benchmark, shared).split(' ');
  const fitting = words.map((word) => shortName(word, width - INDENT.length));
  return wrapped(fitting.join(' ') + varied, width, INDENT);
}

const INDENT = '    ';
