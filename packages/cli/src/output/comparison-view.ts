import {
  applyGates,
  type ComparisonList,
  type ComparisonOrder,
  compareAll,
  compareInDetail,
  comparisonName,
  type DetailColumn,
  type DetailedComparison,
  type DetailedList,
  detailColumn,
  type Gate,
  groupComparisons,
  listSequentially,
  type PaintCompareCell,
  renderCompareMarkdown,
  renderCompareTable,
  renderGroupTable,
  renderSequentialMarkdown,
  renderSequentialTable,
  sortComparisons,
  summarize,
  type Verdict,
} from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import type { ComparedResults } from '../input/compared-results.ts';
import { comparisonDocument } from '@bench-cli/report';
import type { ComparisonFormat } from './formats.ts';

/** What is shown of comparisons, beside compare.R's table. */
export interface ComparisonView {
  readonly format: ComparisonFormat;
  /** Columns on request; default: none. */
  readonly columns?: readonly DetailColumn[];
  /** Correct for the number of comparisons, in the text and in gates; default: no. */
  readonly correct?: boolean;
  /** Warn about samples that the test does not fit; default: no. */
  readonly check?: boolean;
  /** Parameters by whose values to summarize; default: none. */
  readonly groupBy?: readonly string[];
  /** Default: by name. */
  readonly sort?: ComparisonOrder;
  /** Changes that are not accepted; default: none. */
  readonly gates?: readonly Gate[];
}

type SubjectNames = Readonly<Record<'oldName' | 'newName', string>>;

/**
 * Shows comparisons.
 * @returns whether one of them crosses a gate
 */
export function showComparisons(
  { pairs, names, sequential }: ComparedResults,
  view: ComparisonView,
  terminal: Terminal,
): boolean {
  if (sequential === undefined && !needsDetails(view)) {
    const list = sorted(compareAll(pairs), view);
    showWarnings(list, terminal);
    terminal.result(
      view.format === 'markdown'
        ? markdownOf(list, names)
        : `${tableOf(list, undefined, terminal)}\n${summarize(list.comparisons, names)}\n`,
    );
    return false;
  }
  const list = sorted(detailedList({ pairs, sequential }), view);
  showWarnings(view.check ? list : withoutChecks(list), terminal);
  terminal.result(detailedText(list, names, view, terminal));
  return view.gates === undefined ? false : gateIsCrossed(list, view.gates, view, terminal);
}

/** All figures of the comparisons, by the way in which they were judged. */
export function detailedList({
  pairs,
  sequential,
}: Pick<ComparedResults, 'pairs' | 'sequential'>): DetailedList {
  return sequential === undefined ? compareInDetail(pairs) : listSequentially(pairs, sequential);
}

/** The plain table takes half the time of all the figures, which counts for a million rows. */
function needsDetails({ format, columns, correct, check, groupBy, gates }: ComparisonView): boolean {
  const asked = [columns, groupBy, gates].some((list) => list !== undefined && list.length > 0);
  return format === 'json' || asked || correct === true || check === true;
}

function sorted<List extends ComparisonList>(list: List, { sort }: ComparisonView): List {
  return { ...list, comparisons: sortComparisons(list.comparisons, sort ?? 'name') };
}

function detailedText(
  list: DetailedList,
  names: SubjectNames,
  view: ComparisonView,
  terminal: Terminal,
): string {
  switch (view.format) {
    case 'json':
      return `${JSON.stringify(comparisonDocument(list, names), undefined, 2)}\n`;
    case 'markdown':
      return list.errorRate === null
        ? `${markdownOf(list, names)}${correctionText(list, view)}`
        : sequentialMarkdownOf(list, names);
    case 'table': {
      const groups = view.groupBy ?? [];
      const extra = columnsOf(list, view);
      const plain = () =>
        list.errorRate === null
          ? tableOf(list, extra, terminal)
          : renderSequentialTable(list, { extra, paint: painter(terminal) });
      const table =
        groups.length > 0 ? renderGroupTable(groupComparisons(list.comparisons, groups)) : plain();
      return `${table}\n${summarize(list.comparisons, names, list.errorRate)}\n${correctionText(list, view)}`;
    }
  }
}

function markdownOf(list: ComparisonList, names: SubjectNames): string {
  return `${summarize(list.comparisons, names)}\n\n${renderCompareMarkdown(list)}`;
}

function sequentialMarkdownOf(list: DetailedList, names: SubjectNames): string {
  return `${summarize(list.comparisons, names, list.errorRate)}\n\n${renderSequentialMarkdown(list)}`;
}

function columnsOf(list: DetailedList, { columns = [], correct }: ComparisonView) {
  const wanted = correct && !columns.includes('adjusted') ? [...columns, 'adjusted' as const] : columns;
  return wanted.map((key) => ({ key, ...detailColumn(key, list.comparisons) }));
}

function tableOf(
  list: ComparisonList,
  extra: ReturnType<typeof columnsOf> | undefined,
  terminal: Terminal,
): string {
  return renderCompareTable(list, { extra: extra ?? [], paint: painter(terminal) });
}

function painter(terminal: Terminal): PaintCompareCell {
  return (text, { column, comparison }) => {
    const colour = column === 'name' || comparison === null ? undefined : colours[comparison.verdict];
    return colour === undefined ? text : terminal.paint(colour, text, 'stdout');
  };
}

const colours = {
  faster: 'green',
  slower: 'red',
  'no difference': undefined,
  undecided: 'dim',
} as const satisfies Record<Verdict, string | undefined>;

function correctionText({ discoveries, errorRate }: DetailedList, { correct }: ComparisonView): string {
  // Verdicts that were found while the runs came in are corrected always.
  if (!correct || errorRate !== null) return '';
  const { found, survive, tested } = discoveries;
  return `Of ${tested} tests ${found} found a difference (p < 0.05); ${survive} of them ${survive === 1 ? 'survives' : 'survive'} Benjamini and Hochberg's correction.\n`;
}

const checkKinds: ReadonlySet<string> = new Set(['few-runs', 'outliers', 'two-modes', 'trend']);

function withoutChecks(list: ComparisonList): ComparisonList {
  return { ...list, warnings: list.warnings.filter(({ kind }) => !checkKinds.has(kind)) };
}

function showWarnings({ warnings }: ComparisonList, terminal: Terminal): void {
  for (const { message, names } of warnings) terminal.notice(`warning: ${message} (${shortList(names)})`);
}

function gateIsCrossed(
  list: DetailedList,
  gates: readonly Gate[],
  { correct = false }: ComparisonView,
  terminal: Terminal,
): boolean {
  const { crossed, unjudged } = applyGates(list.comparisons, gates, { corrected: correct });
  if (unjudged.length > 0) {
    terminal.notice(
      `warning: ${unjudged.length} comparison${unjudged.length === 1 ? ' has' : 's have'} too few or too noisy runs for --fail-on to judge: run them more often (${shortList(unjudged.map(comparisonName))})`,
    );
  }
  if (crossed.length === 0) return false;
  terminal.notice(
    `${terminal.paint('red', 'failed:', 'stderr')} ${crossed.length} of ${list.comparisons.length} comparisons crossed ${gates.map(({ text }) => text).join(' or ')} (${shortList(crossed.map(withInterval))})`,
  );
  return true;
}

function withInterval(comparison: DetailedComparison): string {
  const { ratio } = comparison;
  const percent = (value: number) => `${value > 1 ? '+' : ''}${((value - 1) * 100).toFixed(1)} %`;
  const interval = ratio === null ? '' : `: ${percent(ratio.low)} to ${percent(ratio.high)}`;
  return `${comparisonName(comparison)}${interval}`;
}

function shortList(names: readonly string[]): string {
  return `${names.slice(0, 3).join('; ')}${names.length > 3 ? `; and ${names.length - 3} more` : ''}`;
}
