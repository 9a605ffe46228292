import { counted } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import {
  type Comparison,
  type ComparisonList,
  type FixedList,
  type JudgedResults,
  type NewCase,
  rateWords,
  type SequentialList,
  sortComparisons,
  type Verdict,
} from '@bench-cli/stats';
import { hasSeveral } from '../comparison-name.ts';
import { percent, shortened, signedPercent } from '../figure-text.ts';
import { newCasesHeading, sampleText } from '../new-cases.ts';
import { failedBenchmarks, failedRuns } from '../session-facts.ts';
import { startUpLabel } from '../start-up-text.ts';
import { tieCell } from '../tie-letters.ts';

/** GitHub rejects comments of more than 65,536 characters. The rest is for the text around the tables. */
const LONGEST = 60_000;

const SECTIONS: readonly { readonly verdict: Verdict; readonly title: string; readonly open: boolean }[] = [
  { verdict: 'lower', title: rateWords.lower, open: true },
  { verdict: 'higher', title: rateWords.higher, open: false },
  { verdict: 'undecided', title: rateWords.undecided, open: false },
  { verdict: 'same', title: 'without difference', open: false },
];

/**
 * The comparisons for a comment on a pull request, in GitHub's Markdown with a line end. The losses come first, the largest
 * at the top; all other sections are folded. Rows that do not fit into a comment are left out and counted. The accuracy is that
 * at 5 % risk. The interval of adaptive runs is valid at whichever run they stopped.
 */
export function renderCompareMarkdown({
  list,
  newCases,
  recordings,
}: Pick<JudgedResults, 'list' | 'newCases' | 'recordings'>): string {
  const sections =
    list.kind === 'fixed'
      ? renderSections(list, ['Improvement', 'Accuracy', 'Confidence'], fixedFigures)
      : renderSections(list, ['Improvement', 'Interval', 'Runs'], sequentialFigures);
  return [failureSection(recordings), sections, newSection(newCases)]
    .filter((section) => section !== '')
    .join('\n');
}

/** Failures that are listed. */
const MOST_FAILURES = 10;
/** Letters of a message. */
const MESSAGE_LETTERS = 300;

function failureSection(recordings: readonly Recording[]): string {
  const [runs, benchmarks] = [failedRuns(recordings), failedBenchmarks(recordings)];
  const counts = [
    ...(benchmarks.length > 0 ? [counted(benchmarks.length, 'benchmark')] : []),
    ...(runs.length > 0 ? [counted(runs.length, 'run')] : []),
  ];
  if (counts.length === 0) return '';
  const all = [...benchmarks, ...runs];
  const items = all
    .slice(0, MOST_FAILURES)
    .map(({ name, value }) => `- ${code(name)}: ${code(shortened(value, MESSAGE_LETTERS))}\n`);
  const rest = all.length > MOST_FAILURES ? `- and ${all.length - MOST_FAILURES} more\n` : '';
  return `<details open>\n<summary>${counts.join(' and ')} failed</summary>\n\n${items.join('')}${rest}\n</details>\n`;
}

function newSection(cases: readonly NewCase[]): string {
  if (cases.length === 0) return '';
  const isSeveral = new Set(cases.map(({ subject }) => subject)).size > 1;
  const header = headerOf(nameTitles(isSeveral), ['Rate ± standard deviation']);
  const rows = cases.map((each) => row(nameCells(each, isSeveral), [sampleText(each.sample)]));
  return `<details>\n<summary>${newCasesHeading(cases)}</summary>\n\n${header}${rows.join('')}\n</details>\n`;
}

function renderSections<Item extends Comparison>(
  list: Pick<ComparisonList, 'subjects' | 'ties'> & { readonly comparisons: readonly Item[] },
  titles: readonly string[],
  figuresOf: (comparison: Item) => readonly string[],
): string {
  const isSeveral = hasSeveral(list);
  const hasStartUp = list.comparisons.some(({ startUp }) => startUp !== undefined);
  const header = headerOf(nameTitles(isSeveral), [
    ...titles,
    ...(hasStartUp ? ['Difference in'] : []),
    ...(isSeveral ? ['Tie'] : []),
  ]);
  const rowOf = (comparison: Item) =>
    row(nameCells(comparison, isSeveral), [
      ...figuresOf(comparison),
      ...(hasStartUp ? [startUpLabel(comparison)] : []),
      ...(isSeveral ? [tieCell(comparison, list)] : []),
    ]);
  let room = LONGEST;
  const sections = SECTIONS.flatMap(({ verdict, title, open }) => {
    const all = sortComparisons(list.comparisons, 'effect').filter((it) => it.verdict === verdict);
    const comparisons = verdict === 'higher' ? all.toReversed() : all;
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

function nameTitles(isSeveral: boolean): readonly string[] {
  return ['Benchmark', 'Configuration', ...(isSeveral ? ['Subject'] : [])];
}

function nameCells(
  { benchmark, text, subject }: Pick<Comparison, 'benchmark' | 'text' | 'subject'>,
  isSeveral: boolean,
): readonly string[] {
  return [benchmark, text, ...(isSeveral ? [subject] : [])].map(code);
}

function row(names: readonly string[], figures: readonly string[]): string {
  return `| ${[...names, ...figures].join(' | ')} |\n`;
}

function headerOf(names: readonly string[], figures: readonly string[]): string {
  return `${row(names, figures)}|${' --- |'.repeat(names.length)}${' ---: |'.repeat(figures.length)}\n`;
}

function fixedFigures({ judgement }: FixedList['comparisons'][number]): readonly string[] {
  const { improvement, accuracy, p, stars } = judgement;
  return [
    improvement === null ? 'NA' : `${signedPercent(improvement)} %`,
    accuracy === null ? 'NA' : `±${percent(accuracy.p05)} %`,
    p === null ? 'NA' : stars.replaceAll('*', '\\*'),
  ];
}

function sequentialFigures({ judgement }: SequentialList['comparisons'][number]): readonly string[] {
  const { ratio, runs } = judgement;
  const change = (value: number) => `${signedPercent(value - 1)} %`;
  return [
    ratio === null ? 'NA' : change(ratio.ratio),
    ratio === null ? 'NA' : `${change(ratio.low)} to ${change(ratio.high)}`,
    String(runs),
  ];
}

/** A code span of any text. GitHub ends a cell at `|` also in a code span. */
export function code(text: string): string {
  if (text === '') return '';
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
