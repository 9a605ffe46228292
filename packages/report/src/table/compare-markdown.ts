import type { Verdict } from '@bench-cli/stats';
import type { ComparisonList, NamedComparison } from '@bench-cli/stats';
import type { DetailedComparison, DetailedList } from '@bench-cli/stats';
import { sortComparisons } from '@bench-cli/stats';
import { fixedPoint } from './fixed-point.ts';

/** GitHub refuses comments above 65,536 characters; what is left is for the sentence around it. */
const LONGEST = 60_000;

const SECTIONS: readonly { readonly verdict: Verdict; readonly title: string; readonly open: boolean }[] = [
  { verdict: 'slower', title: 'slower', open: true },
  { verdict: 'faster', title: 'faster', open: false },
  { verdict: 'undecided', title: 'undecided', open: false },
  { verdict: 'no difference', title: 'without difference', open: false },
];

/**
 * The comparisons for a comment on a pull request, in GitHub's Markdown with a line end: what became slower first,
 * the largest loss on top, all else folded. Accuracy is that at 5 % risk. Rows that would make the comment longer
 * than GitHub takes are left out and counted.
 */
export function renderCompareMarkdown(list: ComparisonList): string {
  return renderMarkdown(list.comparisons, HEADER, row);
}

/** The same of comparisons that were judged while they ran; the interval holds at whichever run they stopped. */
export function renderSequentialMarkdown(list: DetailedList): string {
  return renderMarkdown(list.comparisons, SEQUENTIAL_HEADER, sequentialRow);
}

function renderMarkdown<Row extends NamedComparison>(
  list: readonly Row[],
  header: string,
  row: (comparison: Row) => string,
): string {
  let room = LONGEST;
  const sections = SECTIONS.flatMap(({ verdict, title, open }) => {
    const all = sortComparisons(list, 'effect').filter((it) => it.verdict === verdict);
    const comparisons = verdict === 'faster' ? all.toReversed() : all;
    if (comparisons.length === 0) return [];
    const heading = `${comparisons.length} ${title}`;
    const rows = comparisons.map(row);
    const fitting = rows.filter((text) => {
      room -= text.length;
      return room >= 0;
    });
    const left = rows.length - fitting.length;
    const more = left > 0 ? `\n${left} more left out, for the length of the comment.\n` : '';
    const table = `${header}${fitting.join('')}${more}`;
    return open
      ? [`### ${heading}\n\n${table}`]
      : [`<details>\n<summary>${heading}</summary>\n\n${table}\n</details>\n`];
  });
  return sections.join('\n');
}

const HEADER = `| Benchmark | Configuration | Improvement | Accuracy | Confidence |
| --- | --- | ---: | ---: | ---: |
`;

const SEQUENTIAL_HEADER = `| Benchmark | Configuration | Improvement | Interval | Runs |
| --- | --- | ---: | ---: | ---: |
`;

function sequentialRow({ benchmark, configuration, ratio, sequential }: DetailedComparison): string {
  const change = (value: number) => `${signedPercent(value - 1)} %`;
  const cells = [
    code(benchmark),
    code(configuration),
    ratio === null ? 'NA' : change(ratio.ratio),
    ratio === null ? 'NA' : `${change(ratio.low)} to ${change(ratio.high)}`,
    String(sequential?.runs ?? 0),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function row(it: NamedComparison): string {
  const cells = [
    code(it.benchmark),
    code(it.configuration),
    it.improvement === null ? 'NA' : `${signedPercent(it.improvement)} %`,
    it.accuracy === null ? 'NA' : `±${fixedPoint(it.accuracy.p05 * 100, 2)} %`,
    it.test.kind === 'none' ? 'NA' : it.stars.replaceAll('*', '\\*'),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function signedPercent(fraction: number): string {
  const percent = fixedPoint(fraction * 100, 2);
  return fraction > 0 ? `+${percent}` : percent;
}

/** A code span that holds the text whatever it is; GitHub takes `|` for the end of a cell even there. */
function code(text: string): string {
  if (text === '') return '';
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
