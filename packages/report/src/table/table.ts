import { displayWidth, shownIn } from '@bench-cli/results';
import { shortenedApart } from '../figure-text.ts';
import { padded, widest } from './cell.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row, at: number): string;
  readonly align: 'left' | 'right';
  /** Names can contain any characters, so they are escaped. */
  readonly isName?: boolean;
  /** Before each name; default: nothing. */
  readonly indent?: string;
  /** Names are shortened to the width that the other columns leave, but not to fewer columns than this; default: they are not. */
  readonly least?: number;
}

/** Rows and what is shown of each. All forms of a table are written from it. */
export interface Table<Row> {
  readonly rows: readonly Row[];
  /** Columns that do not apply are false. */
  readonly columns: readonly (Column<Row> | false)[];
  /** A line above rows that follow each other and have it in common; default: none. */
  readonly heading?: (row: Row) => string;
}

/** The columns of tables with rows of a type: of figures, which are right-aligned, of words, and of names, which are escaped. */
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
  /** Decorates a padded cell, for example with a colour. It must not change the visible width. Default: no decoration. */
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

/** Writes a table in GitHub's Markdown: its header, and a line for each row. */
export function markdownTable<Row>({ rows, columns }: Table<Row>) {
  const used = columns.filter((column) => column !== false);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const titles = used.map(({ title }) => `${title.charAt(0).toUpperCase()}${title.slice(1)}`);
  const ruler = used.map(({ align }) => (align === 'left' ? ' --- |' : ' ---: |')).join('');
  return {
    header: `${line(titles)}|${ruler}\n`,
    lines: rows.map((row, at) =>
      line(used.map(({ cell, isName }) => (isName ? shownIn('markdown', cell(row, at)) : cell(row, at)))),
    ),
  };
}

/** The width of columns beside each other, in terminal columns. */
export function widthOf<Row>(columns: Table<Row>['columns'], rows: readonly Row[], gap = '  '): number {
  const used = columns.filter((column) => column !== false);
  const widths = used.map((column) => widest([column.title, ...cellsOf(column, rows)]));
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, used.length - 1);
}

function cellsOf<Row>({ cell, isName = false }: Column<Row>, rows: readonly Row[]): readonly string[] {
  return rows.map((row, at) => (isName ? shownIn('cell', cell(row, at)) : cell(row, at)));
}

/** A sentence in GitHub's Markdown: words of names that it would read as markup, a link or a mention become code spans. */
export function prose(sentence: string): string {
  return sentence
    .trim()
    .split(/\s+/)
    .map((word) => (MARKUP.test(word) || word !== shownIn('line', word) ? shownIn('markdown', word) : word))
    .join(' ');
}

const MARKUP = /[@&`*_#[\]~\\]|<.|:\/\/|www\.|GH-/i;
