import { counted, type SubjectRole, shortened, shownIn } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import { type Comparison, type ComparisonList, type JudgedResults, rateWords } from '@bench-cli/stats';
import { isDifference, sortComparisons, sumOf } from '@bench-cli/stats/internal';
import { type CaseList, caseLists } from '../case-lists.ts';
import { hasSeveral, tieCell } from '../comparison-name.ts';
import { changeRange, changeText, millisecondsText, NONE, rateText } from '../figure-text.ts';
import { reasonText } from '../reason-text.ts';
import { failedBenchmarks, failureFacts } from '../session-facts.ts';
import { failedColumn, runsColumn } from './compare-table.ts';
import { columnsOf, markdownTable, prose } from './table.ts';

const { figure, labels, names, words } = columnsOf<Comparison>();

/** GitHub's limit for comments is 65,536 characters. The rest is for text around the tables. */
const LONGEST = 60_000;

/** Of more rows, only failures and losses are open. */
const MOST_OPEN = 20;

const SECTIONS = ['failed', 'lower', 'higher', 'undecided', 'same'] as const;

/**
 * The comparisons for a pull request comment, in GitHub's Markdown. Failures come first, then losses, the
 * largest at the top. Of more than 20 rows, other sections are folded. Rows beyond the size of a comment are
 * left out and counted.
 */
export function renderCompareMarkdown(judged: JudgedResults): string {
  const { list, recordings } = judged;
  return [failureSection(recordings), comparisonSections(list), ...caseLists(judged).map(listSection)]
    .filter((section) => section !== '')
    .join('\n');
}

const MOST_FAILURES = 10;
const MESSAGE_LETTERS = 300;

function failureSection(recordings: readonly Recording[]): string {
  const [runs, benchmarks] = [failureFacts(recordings), failedBenchmarks(recordings)];
  const all = [...benchmarks, ...runs];
  if (all.length === 0) return '';
  const counts = Object.entries({ benchmark: benchmarks, run: runs }).flatMap(([name, facts]) => {
    const count = sumOf(facts, (each) => each.count);
    return count === 0 ? [] : counted(count, name);
  });
  const items = all.slice(0, MOST_FAILURES).map(({ name, value }) => {
    const text = shortened(value, MESSAGE_LETTERS);
    return `- ${shownIn('markdown', name)}: ${shownIn('markdown', text)}\n`;
  });
  const rest = all.length > MOST_FAILURES ? `- and ${all.length - MOST_FAILURES} more\n` : '';
  return `<details open>\n<summary>${counts.join(' and ')} failed</summary>\n\n${items.join('')}${rest}\n</details>\n`;
}

function listSection({ heading, rows }: CaseList): string {
  const items = rows.map(
    ({ name, value }) => `- ${shownIn('markdown', name)}${value === '' ? '' : `: ${prose(value)}`}\n`,
  );
  return folded(prose(heading), items.join(''));
}

export function folded(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n</details>\n`;
}

function comparisonSections(list: ComparisonList): string {
  const isSeveral = hasSeveral(list);
  const [old = '', new_ = ''] = list.subjects;
  const title = (name: string) => (['old', 'new'].includes(name) ? name : shownIn('markdown', name));
  const why = words('Why', (comparison) => reasonText(comparison, list));
  const columns = [
    names('Benchmark', ({ benchmark }) => benchmark),
    labels('Case', ({ text }) => shownIn('line', text)),
    isSeveral && names('Subject', ({ subject }) => subject),
    figure(isSeveral ? 'Baseline' : title(old), (it) => rateOf(it, 'old')),
    figure(isSeveral ? 'Rate' : title(new_), (it) => rateOf(it, 'new')),
    figure('Improvement', ({ ratio }) => changeText(ratio)),
    figure('Interval', ({ ratio }) => changeRange(ratio)),
    runsColumn,
    why,
    failedColumn(list),
    isSeveral && figure('Tied', (comparison) => tieCell(comparison, list)),
  ];
  const areOpen = list.comparisons.length <= MOST_OPEN;
  let room = LONGEST;
  const sections = SECTIONS.flatMap((verdict) => {
    const all = sortComparisons(list.comparisons).filter((it) => it.verdict === verdict);
    if (all.length === 0) return [];
    const rows = verdict === 'higher' ? all.toReversed() : all;
    const telling = columns.filter(
      (column) =>
        column !== false &&
        !(column === why && isDifference(verdict)) &&
        rows.some((row, at) => !['', NONE].includes(column.cell(row, at))),
    );
    const { header, lines } = markdownTable({ rows, columns: telling });
    const fitting = lines.filter((text) => {
      room -= text.length;
      return room >= 0;
    });
    const left = lines.length - fitting.length;
    const more = left > 0 ? `\n${left} more left out, for the length of the comment.\n` : '';
    const table = `${header}${fitting.join('')}${more}`;
    const heading = `${all.length} ${verdict === 'same' ? 'without difference' : rateWords[verdict]}`;
    const isOpen = areOpen || verdict === 'failed' || verdict === 'lower';
    return isOpen ? [`### ${heading}\n\n${table}`] : [folded(heading, table)];
  });
  return sections.join('\n');
}

function rateOf(comparison: Comparison, side: SubjectRole): string {
  const rate = comparison[side]?.mean;
  if (rate === undefined) return NONE;
  const hasFailed = comparison.warnings.some(
    (warning) => warning.kind === 'ignored-failures' && warning.subject === side,
  );
  if (comparison.isCommand) return `${millisecondsText(rate)} ms${hasFailed ? ' (with failed runs)' : ''}`;
  return rateText(rate, 4);
}
