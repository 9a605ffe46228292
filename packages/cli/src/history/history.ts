import { commitText, percent, pValue, renderTextTable, type TextColumn } from '@bench-cli/report';
import { caseName, UsageError } from '@bench-cli/results';
import { readRecordings } from '@bench-cli/results/recording';
import { writeOutput } from '../analysis/output-file.ts';
import { counted } from '../analysis/recording-text.ts';
import type { Terminal } from '../terminal.ts';
import { appendHistory, readHistory } from './history-file.ts';
import { type Series, seriesOf } from './series.ts';
import { summarizeSession } from './session-summary.ts';

/** Options of `bench-cli history`, as the user typed them. */
export interface HistoryOptions {
  readonly file: string;
  readonly commit?: string;
  readonly machine?: string;
  /** A fraction. */
  readonly margin?: number;
  readonly format?: 'table' | 'json';
  /** The file of the page. */
  readonly html?: string;
}

/** Appends the sessions of results files to a history, and shows the changes in it. */
export async function showHistory(
  files: readonly string[],
  { file, commit, machine, margin = 0, format = 'table', html }: HistoryOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const place = { commit: commit ?? env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA'] ?? '', machine };
  if (files.length > 0 && place.commit === '') {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      'the commit is unknown: add --commit, as in --commit "$(git rev-parse HEAD)"',
    );
  }
  const before = readHistory(file);
  const known = new Set(
    before.map(({ at, machine: where, measure }) => JSON.stringify([at, where, measure])),
  );
  const summaries = files.flatMap((path) =>
    readRecordings(path).flatMap((recording) => summarizeSession(recording, place)),
  );
  const added = summaries.filter((each) => !known.has(JSON.stringify([each.at, each.machine, each.measure])));
  if (added.length > 0) appendHistory(file, added);
  if (files.length > 0) {
    const again = summaries.length - added.length;
    terminal.notice(
      `${file}: added ${counted(added.length, 'session')}${again > 0 ? `, and left out ${again} that it has` : ''}`,
    );
  }
  const history = [...before, ...added];
  if (history.length === 0) {
    throw new UsageError('ERR_BENCH_HISTORY', `${file} has no session: give results files to add`);
  }
  const series = seriesOf(history, margin);
  if (html !== undefined) {
    // It is slow to load.
    const { renderHistory } = await import('@bench-cli/report/page');
    writeOutput(html, renderHistory({ title: 'Benchmarks over commits', series }));
    terminal.notice(`${html}: ${counted(series.length, 'chart')}`);
  }
  terminal.result(format === 'json' ? `${JSON.stringify({ series }, null, 2)}\n` : tableOf(series));
}

/** The changes, the latest first, and how many series there are. */
function tableOf(series: readonly Series[]): string {
  const rows = series
    .flatMap((each) =>
      each.changes.map((change) => ({ each, change, at: each.points[change.index]?.at ?? '' })),
    )
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const points = series.reduce((sum, each) => sum + each.points.length, 0);
  const size = `${counted(series.length, 'series')} with ${counted(points, 'value')}`.replace(
    'seriess',
    'series',
  );
  if (rows.length === 0) return `no change in ${size}\n`;
  const column = (
    title: string,
    text: (row: (typeof rows)[number]) => string,
    align: TextColumn['align'] = 'left',
  ): TextColumn => ({ title, cells: rows.map(text), align });
  const columns = [
    column('date', ({ at }) => at.slice(0, 10)),
    column('commit', ({ change }) => commitText(change.commit)),
    column('benchmark', ({ each }) => caseName(each)),
    column('measure', ({ each }) => each.measure),
    column('machine', ({ each }) => each.machine),
    column('before', ({ change }) => figure(change.before), 'right'),
    column('after', ({ change }) => figure(change.after), 'right'),
    column('change', ({ change }) => `${percent(change.after / change.before - 1)} %`, 'right'),
    column('p', ({ change }) => pValue(change.p), 'right'),
  ];
  return `${renderTextTable(columns)}\n${counted(rows.length, 'change')} in ${size}\n`;
}

function figure(value: number): string {
  return Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
