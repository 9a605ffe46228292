import { prose, ratioChange, renderSearch, summarizeSearch } from '@bench-cli/report';
import { counted, shownIn, wrapped } from '@bench-cli/results';
import type { Recording, SessionRecord } from '@bench-cli/results/recording';
import { verdictWord } from '@bench-cli/stats';
import type { SearchedVersion, SearchResult } from '@bench-cli/stats/internal';
import { commitTexts } from '@bench-cli/subjects';
import type { SearchFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import type { ResultOutput } from './session-view.ts';

/** The formats in which `bisect` prints its result. The steps are shown as they end. */
export function bisectOutput(format: SearchFormat, terminal: Terminal): ResultOutput {
  let result: SearchResult | undefined;
  return {
    step: ({ step }) => terminal.notice(stepText(step)),
    searched: (event) => {
      result = event.result;
    },
    showResult: async (recording) => {
      if (result === undefined) return undefined;
      const { session } = recording;
      const details = {
        elapsedMs: elapsedMsOf(recording),
        commits: await foundCommits(result, session, terminal),
      };
      if (format === 'json') terminal.json({ session, ...documentOf(result, details), ...details });
      else terminal.result(textOf(result, details, session, format, terminal));
      return result.found === undefined || result.found.first !== result.found.last || undefined;
    },
  };
}

function stepText({ version, runs, ratio, verdict, skipped }: SearchedVersion): string {
  const change = ratio === null ? '' : `${ratioChange(ratio.ratio)}, `;
  return `${shownIn('line', version)}: ${skipped === undefined ? verdict : 'skipped'} (${change}${counted(runs, 'pair')} of runs)`;
}

interface Details {
  readonly elapsedMs: number;
  readonly commits: readonly string[];
}

/** The commits of which one is the first bad one, with their subjects, authors and dates. */
async function foundCommits(
  { found }: SearchResult,
  { request }: SessionRecord,
  { io }: Terminal,
): Promise<readonly string[]> {
  const { versions = [], subjects } = request;
  const repository = subjects[0]?.source?.base;
  if (found === undefined || repository === undefined) return [];
  const range = versions.slice(versions.indexOf(found.first), versions.indexOf(found.last) + 1);
  const commits = range.flatMap((version) => /^git:([^:]+)/.exec(version)?.slice(1) ?? []);
  return commits.length === 0 ? [] : await commitTexts(repository, commits, io.signal);
}

/** The time from the first to the last run, without interruptions. */
function elapsedMsOf({ session, resumed, runs, metricRuns, looks }: Recording): number {
  const begins = [session, ...resumed].map(({ startedAt }) => Date.parse(startedAt));
  const ends = [...runs, ...metricRuns, ...looks].map((run) => Date.parse(run.startedAt) + run.durationMs);
  return begins.reduce((sum, begin, at) => {
    const isWithin = (end: number) => end >= begin && end < (begins[at + 1] ?? Number.POSITIVE_INFINITY);
    return sum + Math.max(begin, ...ends.filter(isWithin)) - begin;
  }, 0);
}

function documentOf({ ends, ...search }: SearchResult, { elapsedMs }: Details) {
  const { samples: _, ...figures } = ends;
  const [summary] = summarizeSearch({ ends, ...search }, elapsedMs);
  const verdict = verdictWord({ ...ends, metric: search.metric });
  return { summary, ends: { ...figures, verdict }, ...search };
}

function textOf(
  result: SearchResult,
  { elapsedMs, commits }: Details,
  { request }: SessionRecord,
  format: Exclude<SearchFormat, 'json'>,
  { resultWidth }: Terminal,
): string {
  const shown = (sentence: string) => (format === 'table' ? shownIn('line', sentence) : prose(sentence));
  const ends = request.subjects.flatMap(({ source }) => {
    const commit = source?.commit?.slice(0, 7);
    return commit === undefined || source?.label.includes(commit)
      ? []
      : `${source?.label} is commit ${commit}.`;
  });
  const [summary = '', ...notes] = [...summarizeSearch(result, elapsedMs), ...ends].map(shown);
  const width = format === 'table' ? resultWidth : Number.POSITIVE_INFINITY;
  const lineOf = (text: string) => `${wrapped(text, width)}\n`;
  const found = commits.map((commit) => shownIn(format === 'table' ? 'line' : 'markdown', commit));
  return [
    ...[summary, ...found].map(lineOf),
    renderSearch(result, format, width),
    notes.map(lineOf).join(''),
  ].join('\n');
}
