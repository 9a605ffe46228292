import { alignLeft, alignRight, widest } from './cell.ts';

/** A column of a table of text: its title first. */
export interface TextColumn {
  readonly texts: readonly string[];
  readonly align: 'left' | 'right';
}

/** Columns as lines, two blanks between them, each line with a line end and no blanks before it. */
export function renderTextTable(columns: readonly TextColumn[]): string {
  const padded = columns.map(({ texts, align }) => {
    const width = widest(texts);
    return texts.map((text) => (align === 'left' ? alignLeft(text, width) : alignRight(text, width)));
  });
  const rows = padded[0]?.map((_, row) => padded.map((texts) => texts[row] ?? '').join('  ')) ?? [];
  return rows.map((row) => `${row.trimEnd()}\n`).join('');
}
