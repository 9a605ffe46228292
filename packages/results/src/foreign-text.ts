/**
 * Control characters except tab and line feed, lone surrogates, invisible characters (default-ignorable,
 * except joiners and variation selectors, which letters and emoji need), and characters that change the
 * direction of text.
 */
const controls =
  /(?![\t\n]|\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{DI}\u2028-\u202e\ufff9-\ufffb\ufffe\uffff]/gu;

/** Characters that JavaScript escapes by a letter, and these letters. */
const [named, letters] = ['\n\t\r\b\f\v', 'ntrbfv'];

/** A character as JavaScript escapes it: `\n`, `\x1b`, `\u202e`. */
function escaped(character: string): string {
  const letter = letters[named.indexOf(character)];
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (letter !== undefined) return `\\${letter}`;
  if (code.length > 4) return `\\u{${code}}`;
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

const isPlain = /^[ -~]*$/;

const places = {
  /** Text on a terminal, in a log or on a page. */
  lines: (text: string) => text.replace(controls, escaped),
  /** A sentence, a message or a version in one line, without blanks that look like a space. */
  line: (text: string) =>
    isPlain.test(text) ? text : places.lines(text.replaceAll(/[\n\t]|(?![ \u3000])\p{Zs}/gu, escaped)),
  /**
   * A name. Different names stay different: backslashes are escaped, and a name that is empty or begins or
   * ends with a blank has quotes.
   */
  name: (text: string) => nameWith(/^\s|\s$|^$|^'.*'$/, text),
  /** The value of a parameter: a name that has quotes if it contains a blank. */
  value: (text: string) => nameWith(/\s|^$|^'.*'$/, text),
  /** A code span in GitHub's Markdown, where `|` would end a cell and several blanks would be one. */
  markdown(text: string) {
    if (text === '') return '';
    const line = places
      .line(text.replaceAll(/[\t\n]+/g, ' '))
      .replaceAll('|', '\\|')
      .replaceAll(/(?<= ) /g, '\u00a0');
    const runs = line.match(/`+/g) ?? [];
    const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
    return runs.length > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
  },
  /** An attribute in XML. */
  xml: (text: string) =>
    places.line(text).replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`),
  /** The message of a workflow command of GitHub. Source: `command.ts` of `@actions/core`. */
  annotation: (text: string) => places.lines(text).replaceAll('%', '%25').replaceAll('\n', '%0A'),
  annotationProperty: (text: string) => places.annotation(text).replaceAll(':', '%3A').replaceAll(',', '%2C'),
};

function nameWith(quoted: RegExp, text: string): string {
  const name = places.line(text.replaceAll('\\', '\\\\'));
  return quoted.test(name) ? `'${name.replaceAll("'", "\\'")}'` : name;
}

/** Makes foreign text (a name, message, version or output) safe for a place. */
export function shownIn(place: keyof typeof places, text: string): string {
  return places[place](text);
}
