import { argumentsOf, type Configuration, shownIn } from '@bench-cli/results';
import { eastAsianWidth } from 'get-east-asian-width';
import { shortened } from '../figure-text.ts';

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

/** The width of a text in terminal columns, counted by character, like R. */
function displayWidth(text: string): number {
  if (IS_LATIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (!HAS_NO_WIDTH.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return width;
}

/** Latin letters and signs, except the soft hyphen, have one column each. This test is faster than looking them up. */
const IS_LATIN = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff]*$/;
/** Combining marks and invisible controls. */
const HAS_NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** A text that fits a width in terminal columns: what does not fit is left out of its middle. */
export function fitted(text: string, width: number): string {
  return shortened(text, width, displayWidth);
}

/** Breaks a text between its words, so that lines fit a width in terminal columns. Lines of the text stay lines. */
export function wrapped(text: string, width: number): string {
  return text.replace(/[^\n]+/g, (line) => {
    let used = 0;
    return (
      line
        // A percent sign stays with its number.
        .split(/ (?!%)/)
        .map((word, at) => {
          const fits = at > 0 && used + 1 + displayWidth(word) <= width;
          used = displayWidth(word) + (fits ? used + 1 : 0);
          return at === 0 ? word : `${fits ? ' ' : '\n'}${word}`;
        })
        .join('')
    );
  });
}

/** A benchmark above its lines, with the parameters that they share; what does not fit is on lines below. */
export function benchmarkHeading(
  benchmark: string,
  shared: Configuration,
  width: number,
  varied = '',
): string {
  const indent = '    ';
  const text = shownIn('cell', [benchmark, ...argumentsOf(shared)].join(' ') + varied);
  return wrapped(text, width - indent.length).replaceAll('\n', `\n${indent}`);
}
