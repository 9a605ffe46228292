import type { SearchedVersion, SearchResult } from '@bench-cli/stats/internal';
import { changeRange, changeText } from '../figure-text.ts';
import { columnsOf, markdownTable, type Table, textTable } from './table.ts';

const { figure, names, words } = columnsOf<Partial<SearchedVersion>>();

/** The evidence of a search, in the order of the versions, with a line end. */
export function renderSearch(result: SearchResult, format: 'table' | 'markdown'): string {
  const table = tableOf(result);
  if (format === 'table') return textTable(table);
  const { header, lines } = markdownTable(table);
  return `${header}${lines.join('')}`;
}

function tableOf({ good, versions, found }: SearchResult): Table<Partial<SearchedVersion>> {
  const verdictOf = ({ version, verdict, skipped }: Partial<SearchedVersion>) => {
    if (skipped !== undefined) return 'skipped';
    const isFound = found?.first === version && found?.last === version;
    return isFound ? `first ${verdict}` : (verdict ?? 'good end');
  };
  return {
    rows: [{ version: good }, ...versions],
    columns: [
      names('version', ({ version = '' }) => version),
      figure('runs', ({ runs = '' }) => String(runs)),
      figure('change', ({ ratio }) => (ratio === undefined ? '' : changeText(ratio))),
      figure('interval', ({ ratio }) => (ratio === undefined ? '' : changeRange(ratio))),
      words('verdict', verdictOf),
    ],
  };
}
