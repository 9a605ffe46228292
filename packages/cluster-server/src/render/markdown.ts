import type { ClientComparison } from '../comparison/client-comparison.ts';
import { notesOf } from './note.ts';
import { type TableOptions, tableRows } from './row.ts';

/** The table and the notes in GitHub's Markdown, with a line end. */
export function renderClientMarkdown(comparison: ClientComparison, options: TableOptions = {}): string {
  const [titles = [], ...rows] = tableRows(comparison, options);
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |\n`;
  const ruler = titles.map((_, at) => (at === 0 ? '---' : '---:'));
  const notes = notesOf(comparison).map((note) => `- ${escapeCell(note)}\n`);
  return [
    line(titles),
    `| ${ruler.join(' | ')} |\n`,
    ...rows.map(line),
    ...(notes.length > 0 ? ['\n', ...notes] : []),
  ].join('');
}

function escapeCell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~]/g, '\\$&');
}
