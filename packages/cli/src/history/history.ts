import { type ChangeRow, renderChanges } from '@bench-cli/report';
import { caseName, counted, textOrder, UsageError } from '@bench-cli/results';
import type { CommandSettings } from '@bench-cli/results/settings';
import { commitAddress, commitOrigin, commitPlaces, repositoryOf } from '@bench-cli/subjects';
import { writeOutput } from '../analysis/output-file.ts';
import { joinedRecordings, showFailed } from '../analysis/results-file.ts';
import type { Terminal } from '../terminal.ts';
import { appendHistory, readHistory, sessionOf } from './history-file.ts';
import { recordedPlaces, type Series, seriesOf, summarizeSession } from './series.ts';

const COMMIT = /^[0-9a-f]{40,64}$/;

export async function showHistory(
  files: readonly string[],
  file: string,
  { commit, machine, margin = 0, format = 'table', html }: CommandSettings<'history'>,
  terminal: Terminal,
): Promise<void> {
  const { cwd, env, signal } = terminal.io;
  const named = commit ?? env['GITHUB_SHA'] ?? env['CI_COMMIT_SHA'] ?? '';
  const place = { commit: named, ...(await commitOrigin(cwd, named, signal)), machine };
  if (files.length > 0 && place.commit === '') {
    const problem = 'the commit is unknown: add --commit, as in --commit "$(git rev-parse HEAD)"';
    throw new UsageError('ERR_BENCH_OPTION', problem);
  }
  const { entries: before, isTorn } = readHistory(file, env);
  if (isTorn)
    terminal.notice(`warning: the last line of ${file} is incomplete and left out: add its session again`);
  const known = new Set(before.map(sessionOf));
  const [first, ...others] = files;
  const recordings =
    first === undefined ? [] : await joinedRecordings({ files: [first, ...others] }, terminal);
  if (recordings === undefined) {
    throw new UsageError('ERR_BENCH_RECORD', `${first} is a CSV: give results files (.jsonl)`);
  }
  await showFailed(recordings, terminal);
  const summaries = recordings.flatMap((recording) => summarizeSession(recording, place));
  const added = summaries.filter((each) => !known.has(sessionOf(each)));
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
  const commits = new Set(history.map((each) => each.commit));
  const [inRepository, recorded] = [await commitPlaces(cwd, [...commits], signal), recordedPlaces(history)];
  const places = inRepository.size >= recorded.size ? inRepository : recorded;
  // Other names alone, such as versions, have the order of their measurements.
  const isCommit = (each: string) => COMMIT.test(each) || places.size > 0;
  const unknown = [...commits].filter((each) => isCommit(each) && !places.has(each));
  if (commits.size > 1 && unknown.length > 0) {
    terminal.notice(
      `warning: the order of ${unknown.length} of ${counted(commits.size, 'commit')} is not known, so they have that of their measurements: run it in the repository, with all commits (git fetch --unshallow)`,
    );
  }
  const series = seriesOf(history, margin, places);
  if (html !== undefined) {
    // The page is slow to load.
    const { renderHistory } = await import('@bench-cli/report/page');
    const { remote } = (await repositoryOf(cwd, signal)) ?? {};
    const details = history.map(({ commit: id, title, author }) => {
      const url = COMMIT.test(id) ? commitAddress(remote, id) : undefined;
      return [id, { title, author, url }] as const;
    });
    const { versions } = history.reduce((latest, each) => (each.at < latest.at ? latest : each));
    writeOutput(html, renderHistory('Benchmarks over commits', series, new Map(details), versions));
    terminal.notice(`${html}: ${counted(series.length, 'chart')}`);
  }
  if (format === 'json') terminal.json({ series });
  else terminal.result(tableOf(series, terminal));
}

/** The changes, the latest first, and how many series there are. */
function tableOf(series: readonly Series[], { resultWidth }: Terminal): string {
  const rows = series
    .flatMap(({ measure, machine, points, changes, ...named }) =>
      changes.map(({ index, ...change }): ChangeRow => {
        const date = points[index]?.at.slice(0, 10) ?? '';
        return { ...change, date, name: caseName(named), measure, machine };
      }),
    )
    .sort((a, b) => textOrder(b.date, a.date) || textOrder(placeOf(a), placeOf(b)));
  const points = series.reduce((sum, each) => sum + each.points.length, 0);
  const size = `${counted(series.length, 'series', 'series')} with ${counted(points, 'value')}`;
  if (rows.length === 0) return `no change in ${size}\n`;
  return `${renderChanges(rows, resultWidth)}\n${counted(rows.length, 'change')} in ${size}\n`;
}

function placeOf({ commit, measure, machine }: ChangeRow): string {
  return JSON.stringify([commit, measure, machine]);
}
