import { displayWidth, shownIn } from '@bench-cli/results';
import { NONE, shortenedApart } from '../figure-text.ts';
import { padded, widest } from './cell.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row, at: number): string;
  readonly align: 'left' | 'right';
  /** Escapes the texts, because names can contain any characters. */
  readonly isName?: boolean;
  /** Before each name; default: nothing. */
  readonly indent?: string;
  /** Names are shortened to the width left by other columns, but not below this. Default: full names. */
  readonly least?: number;
}

/** The rows and columns of a table. All output forms are written from it. */
export interface Table<Row> {
  readonly rows: readonly Row[];
  /** False columns are left out. */
  readonly columns: readonly (Column<Row> | false)[];
  /** A line above neighbouring rows with the same heading; default: none. */
  readonly heading?: (row: Row) => string;
}

/** Columns for rows of a type: right-aligned figures, words, and names, which are escaped. */
export function columnsOf<Row>() {
  type Cell = Column<Row>['cell'];
  type Fit = Pick<Column<Row>, 'indent' | 'least'>;
  return {
    figure: (title: string, cell: Cell): Column<Row> => ({ title, cell, align: 'right' }),
    words: (title: string, cell: Cell): Column<Row> => ({ title, cell, align: 'left' }),
    names(title: string, cell: Cell, fit: Fit = {}): Column<Row> {
      return { title, cell, align: 'left', isName: true, ...fit };
    },
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
  const texts = used.map((column) => {
    const { title, least } = column;
    const fit = Math.max(least ?? 0, room - (column.indent?.length ?? 0));
    const names = cellsOf(column, rows);
    const cells = least === undefined ? names : shortenedApart(names, fit, displayWidth);
    const all = [title, ...cells.map((text) => `${column.indent ?? ''}${text}`)];
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
  const headings = rows.map((row) => heading?.(row));
  return [line(0), ...lines]
    .map((cells, at) => {
      const above = headings[at - 1];
      const isNew = above !== undefined && above !== headings[at - 2];
      return `${isNew ? `${above}\n` : ''}${cells.join(gap).trimEnd()}\n`;
    })
    .join('');
}

/** Writes a table in GitHub's Markdown. */
export function markdownTable<Row>({ rows, columns }: Table<Row>) {
  const used = columns.filter((column) => column !== false);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const titles = used.map(({ title }) => `${title.charAt(0).toUpperCase()}${title.slice(1)}`);
  const ruler = used.map(({ align }) => (align === 'left' ? ' --- |' : ' ---: |')).join('');
  return {
    header: `${line(titles)}|${ruler}\n`,
    lines: rows.map((row, at) =>
      line(
        used.map(({ cell, isName }) => {
          const text = cell(row, at);
          if (text === '') return NONE;
          return isName ? shownIn('markdown', text) : text;
        }),
      ),
    ),
  };
}

/** The width of adjacent columns, in terminal columns. */
export function widthOf<Row>(columns: Table<Row>['columns'], rows: readonly Row[], gap = '  '): number {
  const used = columns.filter((column) => column !== false);
  const widths = used.map((column) => widest([column.title, ...cellsOf(column, rows)]));
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, used.length - 1);
}

function cellsOf<Row>({ cell, isName = false }: Column<Row>, rows: readonly Row[]): readonly string[] {
  return rows.map((row, at) => (isName ? shownIn('cell', cell(row, at)) : cell(row, at)));
}

/**
 * A sentence in GitHub's Markdown. Names that it would read as markup, a link or a mention are code spans.
 */
export function prose(sentence: string): string {
  return sentence
    .trim()
    .split(/\s+/)
    .map((word) => (MARKUP.test(word) || word !== shownIn('line', word) ? shownIn('markdown', word) : word))
    .join(' ');
}

const MARKUP = /[@&`*_#[\]~\\]|<.|:\/\/|www\.|GH-/i;
