import type { SearchedVersion, SearchResult } from '@bench-cli/stats';
import { ratioChange } from '../figure-text.ts';
import { code } from './compare-markdown.ts';
import { renderTextTable, textColumn } from './text-table.ts';

/** The evidence of a search, in the order of the versions, with a line end. */
export function renderSearchTable(result: SearchResult): string {
  const rows = rowsOf(result);
  return renderTextTable([
    textColumn('version', rows, ({ version }) => version, 'left'),
    textColumn('runs', rows, ({ runs }) => runs),
    textColumn('change', rows, ({ change }) => change),
    textColumn('interval', rows, ({ interval }) => interval),
    textColumn('verdict', rows, ({ verdict }) => verdict, 'left'),
  ]);
}

/** The same in GitHub's Markdown. */
export function renderSearchMarkdown(result: SearchResult): string {
  const lines = rowsOf(result).map(
    ({ version, runs, change, interval, verdict }) =>
      `| ${code(version)} | ${runs} | ${change} | ${interval} | ${verdict} |\n`,
  );
  return `| Version | Runs | Change | Interval | Verdict |\n| --- | ---: | ---: | ---: | --- |\n${lines.join('')}`;
}

interface Row {
  readonly version: string;
  readonly runs: string;
  readonly change: string;
  readonly interval: string;
  readonly verdict: string;
}

function rowsOf(result: SearchResult): readonly Row[] {
  const good = { version: result.good, runs: '', change: '', interval: '', verdict: 'good end' };
  return [good, ...result.versions.map((version) => rowOf(version, result))];
}

function rowOf({ version, runs, ratio, verdict, skipped }: SearchedVersion, { found }: SearchResult): Row {
  const isFound = found?.first === version && found.last === version;
  const decided = isFound ? `first ${verdict}` : verdict;
  return {
    version,
    runs: String(runs),
    change: ratio === null ? 'NA' : ratioChange(ratio.ratio),
    interval: ratio === null ? 'NA' : `${ratioChange(ratio.low)} to ${ratioChange(ratio.high)}`,
    verdict: skipped === undefined ? decided : 'skipped',
  };
}
