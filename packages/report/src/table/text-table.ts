import { alignLeft, alignRight, widest } from './cell.ts';

/** A column of a table of text. */
export interface TextColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly align: 'left' | 'right';
}

/** A column with a text for each item. */
export function textColumn<Item>(
  title: string,
  items: readonly Item[],
  text: (item: Item) => string,
  align: TextColumn['align'] = 'right',
): TextColumn {
  return { title, cells: items.map(text), align };
}

export interface TextTableOptions {
  /** Between two columns; default: two spaces. */
  readonly gap?: string;
  /** Decorates a padded cell, for example with a colour. It must not change the visible width. Default: no decoration. */
  readonly paint?: (text: string, column: number, row: number | 'title') => string;
}

/** Renders columns as lines without trailing spaces, each with a line end. */
export function renderTextTable(
  columns: readonly TextColumn[],
  { gap = '  ', paint = (text) => text }: TextTableOptions = {},
): string {
  const padded = columns.map(({ title, cells, align }) => {
    const width = widest([title, ...cells]);
    const pad = align === 'left' ? alignLeft : alignRight;
    return { title: pad(title, width), cells: cells.map((cell) => pad(cell, width)) };
  });
  const line = (texts: readonly string[]) => `${texts.join(gap).trimEnd()}\n`;
  const header = line(padded.map(({ title }, column) => paint(title, column, 'title')));
  const rows = columns[0]?.cells.map((_, row) =>
    line(padded.map(({ cells }, column) => paint(cells[row] ?? '', column, row))),
  );
  return header + (rows ?? []).join('');
}
