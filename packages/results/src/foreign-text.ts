/**
 * Control characters except tab and line feed, lone surrogates, invisible characters (default-ignorable,
 * except joiners and variation selectors, which letters and emoji need), and characters that change the
 * direction of text.
 */
const controls =
  /(?![\t\n]|\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{DI}\u2028-\u202e\ufff9-\ufffb\ufffe\uffff]/gu;

/** Shows control characters as text, such as `\x1b`. */
function visibleControls(text: string): string {
  return text.replace(controls, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length > 4) return `\\u{${code}}`;
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Characters that R escapes by a letter, and these letters. */
const [named, letters] = ['\\\n\t\r\b\f\v\u0007', '\\ntrbfva'];

/** Makes a text safe for each place. */
const places = {
  /** Text on a terminal, in a log or on a page. */
  lines: visibleControls,
  /** A name in a sentence or a list. */
  line: (text: string) =>
    isPlain.test(text) ? text : visibleControls(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t')),
  /** A cell as R prints it, with escaped backslashes. */
  cell: (text: string) =>
    visibleControls(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this escapes control characters
      text.replace(/[\\\u0000-\u001f\u007f]/g, (character) => {
        const octal = character.charCodeAt(0).toString(8).padStart(3, '0');
        return `\\${letters[named.indexOf(character)] ?? octal}`;
      }),
    ),
  /** A code span in GitHub's Markdown. `|` would end a cell even in a code span. */
  markdown(text: string) {
    if (text === '') return '';
    const line = visibleControls(text.replace(/\s+/g, ' ')).replaceAll('|', '\\|');
    const runs = line.match(/`+/g) ?? [];
    const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
    return runs.length > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
  },
  /** An attribute in XML. */
  xml: (text: string) =>
    places.line(text).replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`),
  /** The message of a workflow command of GitHub. Source: `command.ts` of `@actions/core`. */
  annotation: (text: string) => visibleControls(text).replaceAll('%', '%25').replaceAll('\n', '%0A'),
  annotationProperty: (text: string) => places.annotation(text).replaceAll(':', '%3A').replaceAll(',', '%2C'),
};

const isPlain = /^[ -~]*$/;

/** Makes foreign text (a name, message, version or output) safe for a place. */
export function shownIn(place: keyof typeof places, text: string): string {
  return places[place](text);
}
