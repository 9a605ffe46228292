import { counted } from '@bench-cli/results';
import { verdictWord } from '@bench-cli/stats';
import {
  type FoundVersions,
  type SearchedVersion,
  type SearchResult,
  sumOf,
} from '@bench-cli/stats/internal';
import { changeRange, changeText, percent, ratioChange } from '../figure-text.ts';
import { columnsOf, LEAST_NAME, markdownTable, textTable } from './table.ts';

const { figure, names, words } = columnsOf<Partial<SearchedVersion>>();

export function renderSearch(
  { good, versions, found }: SearchResult,
  format: 'table' | 'markdown',
  width?: number,
): string {
  const verdictOf = ({ version, verdict, skipped }: Partial<SearchedVersion>) => {
    if (skipped !== undefined) return 'skipped';
    const isFound = found?.first === version && found?.last === version;
    return isFound ? `first ${verdict}` : (verdict ?? 'good end');
  };
  const columns = [
    names('version', ({ version = '' }) => version, { least: LEAST_NAME }),
    figure('pairs', ({ runs = '' }) => String(runs)),
    figure('change', ({ ratio }) => (ratio === undefined ? '' : changeText(ratio))),
    figure('interval', ({ ratio }) => (ratio === undefined ? '' : changeRange(ratio))),
    words('verdict', verdictOf),
  ];
  const rows = [{ version: good }, ...versions];
  if (format === 'table') return textTable({ rows, columns }, { width });
  const { header, lines } = markdownTable({ rows, columns });
  return `${header}${lines.join('')}`;
}

/** @param elapsedMs includes fetching and building versions */
export function summarizeSearch(result: SearchResult, elapsedMs: number): readonly string[] {
  const { found, good, size, versions } = result;
  const measured = versions.filter(({ runs }) => runs > 0);
  const pairs = sumOf(measured, ({ runs }) => runs);
  return [
    found === undefined ? endsText(result) : foundText(found, result),
    `${measured.length} of ${size} versions were measured, in ${counted(pairs, 'pair')} of runs with ${good}; the search took ${elapsedText(elapsedMs)}.`,
  ];
}

/** `12 s`, or `6 min 48 s`. */
function elapsedText(elapsedMs: number): string {
  const seconds = Math.round(elapsedMs / 1000);
  return `${seconds < 60 ? '' : `${Math.floor(seconds / 60)} min `}${seconds % 60} s`;
}

function advice({ limit }: SearchResult): string {
  if (limit === 'time') return 'continue it with --resume and a higher --budget';
  const steady = 'make the runs steadier, as with a higher n';
  return limit === 'runs' ? `add runs with --max-runs, or ${steady}` : steady;
}

function endsText(result: SearchResult): string {
  const { ends, good, versions, metric } = result;
  const bad = versions.at(-1);
  if (bad?.skipped !== undefined) return `${bad.version} could not be measured: ${bad.skipped}.`;
  const [fast, either] =
    metric === undefined
      ? ['is as fast as', 'is faster or slower than']
      : [`has as many ${metric.title} as`, `has more or less ${metric.title} than`];
  if (ends.verdict === 'same') {
    return `${bad?.version} ${fast} ${good}, so there is nothing to search: choose other ends or another case, or a smaller --margin.`;
  }
  return `Whether ${bad?.version} ${either} ${good} is undecided, so the search did not begin: ${advice(result)}.`;
}

function foundText({ before, first, last, probability }: FoundVersions, result: SearchResult): string {
  const { ends, good, versions, metric } = result;
  const word = verdictWord({ ...ends, metric });
  const kind = metric === undefined ? `${word} version` : `version with ${word} ${metric.title}`;
  const chance = `with a probability ${probability < 0.995 ? `of ${percent(probability, 0)} %` : 'above 99 %'}`;
  if (first !== last) {
    const skipped = versions.filter((version) => version.skipped !== undefined).length;
    const reason =
      skipped > 0 ? `${skipped} ${skipped === 1 ? 'version was' : 'versions were'} skipped` : advice(result);
    return `The first ${kind} is one of ${first} to ${last}, ${chance}: ${reason}.`;
  }
  const changeOf = (text: string) => {
    const ratio = versions.find(({ version }) => version === text)?.ratio;
    return ratio == null ? undefined : ratioChange(ratio.ratio);
  };
  const formerChange = before === good ? undefined : changeOf(before);
  return [
    `${first} is the first ${kind}, ${chance}: ${changeOf(first)} compared with ${good}`,
    formerChange === undefined ? '.' : `, and ${formerChange} for ${before}, the version before it.`,
  ].join('');
}
