import {
  type Configuration,
  displayWidth,
  groupName,
  shortened,
  shortenedApart,
  shortName,
  shownIn,
  wrapped,
} from '@bench-cli/results';
import { NONE } from '../figure-text.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row, at: number): string;
  readonly align: 'left' | 'right';
  /** A safe name, which is a code span in Markdown. */
  readonly isName?: boolean;
  /** Before each name; default: nothing. */
  readonly indent?: string;
  /** Names are shortened to the width left by other columns, but not below this. Default: full names. */
  readonly least?: number;
}

export const LEAST_NAME = 16;

export interface Table<Row> {
  readonly rows: readonly Row[];
  /** False columns are left out. */
  readonly columns: readonly (Column<Row> | false)[];
  /** A line above neighbouring rows with the same heading, unless it names the row; default: none. */
  readonly heading?: (row: Row) => string;
}

/** Columns for rows of a type: right-aligned figures, words, labels (safe names), and names to make safe. */
export function columnsOf<Row>() {
  type Cell = Column<Row>['cell'];
  type Fit = Pick<Column<Row>, 'indent' | 'least'>;
  const labels = (title: string, cell: Cell, fit: Fit = {}): Column<Row> => {
    return { title, cell, align: 'left', isName: true, ...fit };
  };
  return {
    labels,
    figure: (title: string, cell: Cell): Column<Row> => ({ title, cell, align: 'right' }),
    words: (title: string, cell: Cell): Column<Row> => ({ title, cell, align: 'left' }),
    names: (title: string, cell: Cell, fit?: Fit) =>
      labels(title, (row, at) => shownIn('name', cell(row, at)), fit),
  };
}

export interface TextOptions<Row> {
  /** Between two columns; default: two spaces. */
  readonly gap?: string;
  /** Columns of the terminal; default: unlimited. */
  readonly width?: number | undefined;
  /** Decorates a padded cell, as with a colour, without changing its visible width. Default: none. */
  readonly paint?: ((text: string, row: Row, column: Column<Row>) => string) | undefined;
}

/** Writes a table as lines without trailing spaces, each with a line end. */
export function textTable<Row>(
  { rows, columns, heading }: Table<Row>,
  { gap = '  ', width = Number.POSITIVE_INFINITY, paint = (text) => text }: TextOptions<Row> = {},
): string {
  const used = columns.filter((column) => column !== false);
  const others = used.filter(({ least }) => least === undefined);
  const room = used.length === others.length ? 0 : width - gap.length - widthOf(others, rows, gap);
  const headings = rows.map((row) => heading?.(row));
  const named = rows.map((row, at) => headings[at] === used[0]?.cell(row, at));
  const texts = used.map((column) => {
    const { title, least, indent = '', align } = column;
    const names = rows.map(column.cell);
    const fit = Math.max(least ?? 0, room - indent.length);
    const cells = least === undefined ? names : shortenedApart(names, fit, displayWidth);
    const shown = cells.map((text, at) => `${named[at] ? '' : indent}${text}`);
    const longest = widest([title, ...shown]);
    const painted = rows.map((row, at) => paint(padded(shown[at] ?? '', longest, align), row, column));
    return [padded(title, longest, align), ...painted];
  });
  return Array.from({ length: rows.length + 1 }, (_, at) => {
    const above = headings[at - 1];
    const isNew = above !== undefined && above !== headings[at - 2] && !named[at - 1];
    const line = texts.map((column) => column[at]).join(gap);
    return `${isNew ? `${above}\n` : ''}${line.trimEnd()}\n`;
  }).join('');
}

export function markdownTable<Row>({ rows, columns }: Table<Row>) {
  const used = columns.filter((column) => column !== false);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const titles = used.map(({ title }) => `${title.charAt(0).toUpperCase()}${title.slice(1)}`);
  const ruler = used.map(({ align }) => (align === 'left' ? ' --- |' : ' ---: |')).join('');
  return {
    header: `${line(titles)}|${ruler}\n`,
    lines: rows.map((row, at) =>
      line(
        used.map(({ cell, isName, align }) => {
          const text = cell(row, at).trim();
          if (text === '') return NONE;
          if (isName) return shownIn('markdown', shortName(text));
          // A figure stays with its unit. An interval can be broken.
          return align === 'left' ? text : text.replaceAll(/ (?!to )/g, '\u00a0');
        }),
      ),
    ),
  };
}

/** The width of adjacent columns, in terminal columns. */
export function widthOf<Row>(columns: Table<Row>['columns'], rows: readonly Row[], gap = '  '): number {
  const used = columns.filter((column) => column !== false);
  const widths = used.map((column) => widest([column.title, ...rows.map(column.cell)]));
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, used.length - 1);
}

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

/** The line below a table that lacks columns, because the terminal is narrow. */
export function columnsNote(width: number): string {
  return wrapped('For all columns: a wider terminal, or a pipe, as into less -S.\n', width);
}

/** A sentence in GitHub's Markdown. Names that would be markup, a link or a mention are code spans. */
export function prose(sentence: string): string {
  return sentence
    .trim()
    .replaceAll(/(?<= ) /g, '\u00a0')
    .split(/[ \n]/)
    .map((word) =>
      MARKUP.test(word) || word !== shownIn('line', word)
        ? word.replace(/^.+?(?=[;,]?$)/, (name) => shownIn('markdown', name))
        : word,
    )
    .join(' ');
}

const MARKUP = /[@&`*_#[\]~\\]|<.|:\/\/|www\.|GH-/i;
