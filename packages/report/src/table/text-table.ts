import { padded, widest } from './cell.ts';

export interface TextColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly align: 'left' | 'right';
}

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
  const aligned = columns.map(({ title, cells, align }) => {
    const width = widest([title, ...cells]);
    return [title, ...cells].map((text) => padded(text, width, align));
  });
  const line = (texts: readonly string[]) => `${texts.join(gap).trimEnd()}\n`;
  const lines = aligned[0]?.map((_, at) =>
    line(aligned.map((texts, column) => paint(texts[at] ?? '', column, at === 0 ? 'title' : at - 1))),
  );
  return (lines ?? []).join('');
}
