import {
  caseName,
  counted,
  type OfCommand,
  shownIn,
  type UnmatchedBenchmark,
  unmatchedNames,
} from '@bench-cli/results';
import type { JudgedResults, NewCase, SampleSummary } from '@bench-cli/stats';
import { percent, speedText } from './figure-text.ts';
import { columnsOf, textTable } from './table/table.ts';

/** Cases that are not compared, with the reason, as tables, Markdown and the page list them. */
export interface CaseList {
  /** Such as `2 new configurations, not compared`. */
  readonly heading: string;
  readonly rows: readonly { readonly name: string; readonly value: string }[];
}

/** Lists new, removed and renamed benchmarks, and benchmarks that fail under the baseline only. */
export function caseLists(
  judged: Pick<JudgedResults, 'newCases' | 'unmatched' | 'missing' | 'names'>,
): readonly CaseList[] {
  const { newCases, unmatched, missing, names } = judged;
  const { added, removed, renamed } = unmatched;
  const [[key = '', baseline = ''] = []] = names;
  const named = (all: readonly UnmatchedBenchmark[]) =>
    all.flatMap((each) => unmatchedNames(each).map((name) => ({ name, value: '' })));
  const isNew = [
    ...newCases.map((each) => ({ name: newCaseName(each, newCases), value: sampleText(each) })),
    ...named(added),
  ];
  const failed = missing.flatMap((each) =>
    each.kind === 'failed benchmark' && each.only && each.subject === key
      ? { name: shownIn('name', each.benchmark), value: 'could not be planned' }
      : [],
  );
  const moved = renamed.map(({ from, to }) => ({
    name: shownIn('name', from),
    value: `now ${shownIn('name', to)}`,
  }));
  const lists = [
    { count: counted(isNew.length, 'new case'), rows: isNew },
    { count: counted(removed.length, 'removed benchmark'), rows: named(removed) },
    { count: counted(renamed.length, 'probably renamed benchmark'), rows: moved },
    { count: `${failed.length} failed under ${baseline} only`, rows: failed },
  ];
  return lists.flatMap(({ count, rows }) =>
    rows.length === 0 ? [] : [{ heading: `${count}, not compared`, rows }],
  );
}

function newCaseName(newCase: NewCase, cases: readonly NewCase[]): string {
  return cases.every(({ subject }) => subject === newCase.subject)
    ? caseName(newCase)
    : `${caseName(newCase)} (${shownIn('name', newCase.subject)})`;
}

/** The mean of a sample with its relative standard deviation: `385.7k ops/s ±1.2 % (n=30)`. */
function sampleText({ sample, ...of }: OfCommand & { readonly sample: SampleSummary }): string {
  const { n, mean, variance } = sample;
  const spread = variance === null || mean === 0 ? '' : ` ±${percent(Math.sqrt(variance) / mean, 1)} %`;
  return `${speedText(mean, of, 4)}${spread} (n=${n})`;
}

export function renderCaseLists(lists: readonly CaseList[]): string {
  const { labels, words } = columnsOf<CaseList['rows'][number]>();
  const columns = [labels('', ({ name }) => name, { indent: '  ' }), words('', ({ value }) => value)];
  return lists.map(({ heading, rows }) => `${heading}:${textTable({ rows, columns })}\n`).join('');
}
