import { UsageError } from '../usage-error.ts';

/** The text of a file, or a stream of its chunks; bytes are UTF-8. */
export type CsvSource = string | AsyncIterable<Uint8Array | string>;

/** Takes the fields of a row, its first line (from 1), and whether the file ended within the row. */
type RecordVisitor = (fields: readonly string[], line: number, torn: boolean) => void;

/** The most characters of an incomplete row: an unclosed quote must not fill the memory. */
const LONGEST_RECORD = 1 << 20;

const BYTE_ORDER_MARK = '\u{feff}';
const TAB = 9;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;

/**
 * Calls `visit` with every row of a CSV file. Fields are separated by commas, quotes are doubled inside
 * quotes, blanks around fields are dropped unless quoted, line ends are those of Unix or Windows, and blank
 * lines are skipped.
 *
 * No library does this: Node core's forms have a blank before an opening quote (`"a", "b"`), and an error
 * must name its line. papaparse misreads such a blank, udsv accepts incomplete and misquoted rows without an
 * error, and csv-parse alone exceeds the time budget of the whole analysis.
 * @throws UsageError for a misplaced quote, and for text in UTF-16
 */
export async function forEachRecord(source: CsvSource, visit: RecordVisitor): Promise<void> {
  let rest = '';
  let line = 1;
  for await (const text of textsOf(source)) {
    ({ rest, line } = scan(rest + text, line, false, visit));
    if (rest.length > LONGEST_RECORD) throw unclosedQuote(line);
  }
  scan(rest, line, true, visit);
}

async function* textsOf(source: CsvSource): AsyncIterable<string> {
  // The decoder drops a byte-order mark of bytes; the mark of text is dropped below.
  const decoder = new TextDecoder();
  let atStart = true;
  for await (const chunk of typeof source === 'string' ? [source] : source) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (atStart && text.includes('\0')) {
      throw syntaxError(
        'the file is not UTF-8 text; it may be UTF-16, as Windows PowerShell writes it: save it as UTF-8',
      );
    }
    yield atStart && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    atStart &&= text === '';
  }
  yield decoder.decode();
}

/**
 * Visits the complete rows, and with `final` also a last row without a line end.
 * @returns the text from the first incomplete row on, and its line
 */
function scan(text: string, firstLine: number, final: boolean, visit: RecordVisitor) {
  let line = firstLine;
  let start = 0;
  while (start < text.length) {
    let end = lineEnd(text, start, final);
    if (end === -1) break;

    const fields: string[] = [];
    let lines = 1;
    let at = skipBlanks(text, start, end);
    const isBlank = at === end;
    while (!isBlank) {
      if (text.charCodeAt(at) === QUOTE) {
        const from = at + 1;
        let close = text.indexOf('"', from);
        let hasDoubled = false;
        while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
          hasDoubled = true;
          close = text.indexOf('"', close + 2);
        }
        if (close === -1) {
          if (!final) return { rest: text.slice(start), line };
          if (end < text.length) throw unclosedQuote(line);
          fields.push(text.slice(from));
          break;
        }
        if (close > end) {
          lines += text.slice(from, close).split('\n').length - 1;
          end = lineEnd(text, close, final);
          if (end === -1) return { rest: text.slice(start), line };
        }
        const field = text.slice(from, close);
        fields.push(hasDoubled ? field.replaceAll('""', '"') : field);
        at = skipBlanks(text, close + 1, end);
        if (at < end && text.charCodeAt(at) !== COMMA) {
          const problem = `field ${fields.length} continues after its closing quote: double the quotes that belong to the text, close the open quote, or delete the row`;
          throw syntaxError(problem, line);
        }
      } else {
        const comma = text.indexOf(',', at);
        const stop = comma === -1 || comma > end ? end : comma;
        const field = text.slice(at, stop).trimEnd();
        if (field.includes('"')) {
          const problem = `field ${fields.length + 1} has a quote in the middle (${field}): put the whole field in quotes and double those inside`;
          throw syntaxError(problem, line);
        }
        fields.push(field);
        at = stop;
      }
      if (at === end) break;
      at = skipBlanks(text, at + 1, end);
    }

    if (!isBlank) visit(fields, line, end === text.length);
    line += lines;
    start = end + 1;
  }
  return { rest: text.slice(start), line };
}

/** The index of the next line end, of the known end of the file, or -1. */
function lineEnd(text: string, from: number, final: boolean): number {
  const end = text.indexOf('\n', from);
  return end === -1 && final ? text.length : end;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlankUnit(text.charCodeAt(at))) at++;
  return at;
}

function isBlankUnit(unit: number): boolean {
  return unit === SPACE || unit === TAB || unit === CARRIAGE_RETURN;
}

function unclosedQuote(line: number): UsageError {
  return syntaxError('a quote that this row opens is never closed: close it, or delete the row', line);
}

function syntaxError(message: string, line?: number): UsageError {
  return new UsageError('ERR_BENCH_CSV_SYNTAX', message, { line });
}
