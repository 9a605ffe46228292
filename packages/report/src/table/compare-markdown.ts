import {
  type Comparison,
  type ComparisonList,
  type FixedList,
  type SequentialList,
  sortComparisons,
  type Verdict,
} from '@bench-cli/stats';
import { percent, signedPercent } from '../figure-text.ts';

/** GitHub rejects comments of more than 65,536 characters. The rest is for the text around the tables. */
const LONGEST = 60_000;

const SECTIONS: readonly { readonly verdict: Verdict; readonly title: string; readonly open: boolean }[] = [
  { verdict: 'slower', title: 'slower', open: true },
  { verdict: 'faster', title: 'faster', open: false },
  { verdict: 'undecided', title: 'undecided', open: false },
  { verdict: 'no difference', title: 'without difference', open: false },
];

/**
 * The comparisons for a comment on a pull request, in GitHub's Markdown with a line end. The losses come first, the largest
 * at the top; all other sections are folded. Rows that do not fit into a comment are left out and counted. The accuracy is that
 * at 5 % risk. The interval of adaptive runs is valid at whichever run they stopped.
 */
export function renderCompareMarkdown(list: ComparisonList): string {
  return list.kind === 'fixed'
    ? renderSections(list.comparisons, header('Improvement', 'Accuracy', 'Confidence'), fixedRow)
    : renderSections(list.comparisons, header('Improvement', 'Interval', 'Runs'), sequentialRow);
}

function renderSections<Item extends Comparison>(
  list: readonly Item[],
  header: string,
  rowOf: (comparison: Item) => string,
): string {
  let room = LONGEST;
  const sections = SECTIONS.flatMap(({ verdict, title, open }) => {
    const all = sortComparisons(list, 'effect').filter(({ judgement }) => judgement.verdict === verdict);
    const comparisons = verdict === 'faster' ? all.toReversed() : all;
    if (comparisons.length === 0) return [];
    const heading = `${comparisons.length} ${title}`;
    const rows = comparisons.map(rowOf);
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

function header(...figures: readonly string[]): string {
  return `| Benchmark | Configuration | ${figures.join(' | ')} |\n| --- | --- |${' ---: |'.repeat(figures.length)}\n`;
}

function row({ benchmark, text }: Comparison, ...figures: readonly string[]): string {
  return `| ${[code(benchmark), code(text), ...figures].join(' | ')} |\n`;
}

function fixedRow(comparison: FixedList['comparisons'][number]): string {
  const { improvement, accuracy, p, stars } = comparison.judgement;
  return row(
    comparison,
    improvement === null ? 'NA' : `${signedPercent(improvement)} %`,
    accuracy === null ? 'NA' : `±${percent(accuracy.p05)} %`,
    p === null ? 'NA' : stars.replaceAll('*', '\\*'),
  );
}

function sequentialRow(comparison: SequentialList['comparisons'][number]): string {
  const { ratio, runs } = comparison.judgement;
  const change = (value: number) => `${signedPercent(value - 1)} %`;
  return row(
    comparison,
    ratio === null ? 'NA' : change(ratio.ratio),
    ratio === null ? 'NA' : `${change(ratio.low)} to ${change(ratio.high)}`,
    String(runs),
  );
}

/** A code span of any text. GitHub ends a cell at `|` also in a code span. */
function code(text: string): string {
  if (text === '') return '';
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
