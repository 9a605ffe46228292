import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';
import { commandNames } from './settings/settings.ts';
import { whileFits } from './short-text.ts';

/** The width of a text in terminal columns, by character, like R. Escape sequences have no width. */
export function displayWidth(text: string): number {
  if (IS_LATIN.test(text)) return text.length;
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (!HAS_NO_WIDTH.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  return width;
}

/** Latin letters and signs, except the soft hyphen, have one column. The test avoids a slower lookup. */
const IS_LATIN = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff]*$/;
/** Combining marks and invisible controls. */
const HAS_NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The start of a text that fits a width in terminal columns. */
export function cutAt(width: number, text: string): string {
  return whileFits(Array.from(text), width, displayWidth).join('');
}

/**
 * What stays on a line: words with the blanks at its start, percent signs and $(...), and our commands. The
 * terminal breaks a command that is too long, so that it can be copied.
 */
const unbroken = new RegExp(
  String.raw`(^| )( *(?:(?:npx )?bench-cli (?:${commandNames.join('|')}) [^;()]*[^;() ]|\$\([^)]*\)|[^ ]| %(?![^ ]))+)`,
  'g',
);

/** Breaks a text between words into lines of a width in columns. @param indent before continued lines */
export function wrapped(text: string, width: number, indent = ''): string {
  return text.replace(/[^\n]+/g, (line) => {
    let used = 0;
    return line.replace(unbroken, (_, gap: string, word: string) => {
      const columns = displayWidth(word);
      const fits = used === 0 || used + gap.length + columns <= width;
      used = fits ? used + gap.length + columns : indent.length + columns;
      return `${fits ? gap : `\n${indent}`}${word}`;
    });
  });
}
