import { displayWidth, shortenedApart, shortName, shownIn, wrapped } from '@bench-cli/results';
import { NONE } from '../figure-text.ts';
import { padded, widest } from './cell.ts';

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

/** The least width of shortened names. */
export const LEAST_NAME = 16;

/** The rows and columns of a table. All output forms are written from it. */
export interface Table<Row> {
  readonly rows: readonly Row[];
  /** False columns are left out. */
  readonly columns: readonly (Column<Row> | false)[];
  /** A line above neighbouring rows with the same heading, unless it is the name of the row; default: none. */
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
  /**
   * Decorates a padded cell, for example with a colour, without changing its visible width. Default: none.
   */
  readonly paint?: ((text: string, row: Row, column: Column<Row>) => string) | undefined;
}

/** Writes a table as lines without trailing spaces, each with a line end. */
export function textTable<Row>(
  { rows, columns, heading }: Table<Row>,
  { gap = '  ', width = Number.POSITIVE_INFINITY, paint }: TextOptions<Row> = {},
): string {
  const used = columns.filter((column) => column !== false);
  const others = used.filter(({ least }) => least === undefined);
  const room = used.length === others.length ? 0 : width - gap.length - widthOf(others, rows, gap);
  const headings = rows.map((row) => heading?.(row));
  const named = rows.map((row, at) => headings[at] === used[0]?.cell(row, at));
  const texts = used.map((column) => {
    const { title, least } = column;
    const fit = Math.max(least ?? 0, room - (column.indent?.length ?? 0));
    const names = rows.map(column.cell);
    const cells = least === undefined ? names : shortenedApart(names, fit, displayWidth);
    const all = [title, ...cells.map((text, at) => `${named[at] ? '' : (column.indent ?? '')}${text}`)];
    const longest = widest(all);
    return all.map((text) => padded(text, longest, column.align));
  });
  const line = (at: number) => texts.map((column) => column[at] ?? '');
  const lines = rows.map((row, at) =>
    line(at + 1).map((text, index) => {
      const column = used[index];
      return paint === undefined || column === undefined ? text : paint(text, row, column);
    }),
  );
  return [line(0), ...lines]
    .map((cells, at) => {
      const above = headings[at - 1];
      const isNew = above !== undefined && above !== headings[at - 2] && !named[at - 1];
      return `${isNew ? `${above}\n` : ''}${cells.join(gap).trimEnd()}\n`;
    })
    .join('');
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
