import {
  comparisonDocument,
  type DetailColumn,
  detailColumn,
  methodLines,
  type PaintCompareCell,
  ratioChange,
  renderCompareMarkdown,
  renderCompareTable,
  renderGroupTable,
  summarize,
  warningGroups,
} from '@bench-cli/report';
import { caseName, groupCases, type SubjectNames } from '@bench-cli/results';
import {
  applyGates,
  type Comparison,
  type ComparisonList,
  type ComparisonOrder,
  type Gate,
  sortComparisons,
  type Verdict,
} from '@bench-cli/stats';
import type { ComparisonFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { counted, shortList } from './recording-text.ts';

/** How comparisons are shown, and what is shown in addition to compare.R's table. */
export interface ComparisonView {
  readonly format: ComparisonFormat;
  /** Additional columns; default: none. */
  readonly columns?: readonly DetailColumn[];
  /** Correct for the number of comparisons, in the text and in gates; default: no. */
  readonly correct?: boolean;
  /** Warn about samples that do not fit the method; default: no. */
  readonly check?: boolean;
  /** Parameters by whose values to summarize; default: none. */
  readonly groupBy?: readonly string[];
  /** Changes that fail the command; default: none. */
  readonly gates?: readonly Gate[];
  /** Missing results, which fail the command if there are gates; undefined to accept all that is missing. */
  readonly missing?: readonly string[] | undefined;
}

/** A list in the order of its table and its plot. */
export function sortedList(list: ComparisonList, order: ComparisonOrder): ComparisonList {
  return list.kind === 'fixed'
    ? { ...list, comparisons: sortComparisons(list.comparisons, order) }
    : { ...list, comparisons: sortComparisons(list.comparisons, order) };
}

/**
 * Shows comparisons.
 * @returns whether one of them crosses a gate
 */
export function showComparisons(
  list: ComparisonList,
  names: SubjectNames,
  view: ComparisonView,
  terminal: Terminal,
): boolean {
  const { gates = [], check = false } = view;
  for (const { message, names } of warningGroups(list, { assumptions: check }))
    terminal.notice(`warning: ${message} (${shortList(names)})`);
  terminal.result(textOf(list, names, view, terminal));
  return gates.length > 0 && gateIsCrossed(list.comparisons, gates, view, terminal);
}

function textOf(list: ComparisonList, names: SubjectNames, view: ComparisonView, terminal: Terminal): string {
  const sentence = summarize(list, names);
  switch (view.format) {
    case 'json':
      return `${JSON.stringify(comparisonDocument(list, names), undefined, 2)}\n`;
    case 'markdown': {
      const notes = [correctionText(list, view), ...methodLines(list)].filter((line) => line !== '');
      return `${sentence}\n\n${renderCompareMarkdown(list)}\n${notes.map((line) => `${line}\n`).join('\n')}`;
    }
    case 'table': {
      const { groupBy = [] } = view;
      const grouped = groupBy.length > 0;
      const table = grouped
        ? renderGroupTable(groupCases<Comparison>(list.comparisons, groupBy))
        : renderCompareTable(list, { extra: columnsOf(list, view, terminal), paint: painter(terminal) });
      const lines = [sentence, correctionText(list, view), ...methodLines(list, { grouped })].filter(
        (line) => line !== '',
      );
      return `${table}\n${lines.map((line) => `${line}\n`).join('')}`;
    }
  }
}

function columnsOf(list: ComparisonList, { columns = [], correct }: ComparisonView, terminal: Terminal) {
  const wanted = correct && !columns.includes('adjusted') ? [...columns, 'adjusted' as const] : columns;
  return wanted.flatMap((key) => {
    const column = detailColumn(key, list);
    if (column !== null) return [{ key, ...column }];
    terminal.notice(`warning: --columns ${key} is not available for adaptive runs`);
    return [];
  });
}

function painter(terminal: Terminal): PaintCompareCell {
  return (text, { isName, comparison }) => {
    const colour = isName ? undefined : colours[comparison.judgement.verdict];
    return colour === undefined ? text : terminal.paint(colour, text, 'stdout');
  };
}

const colours = {
  faster: 'green',
  slower: 'red',
  'no difference': undefined,
  undecided: 'dim',
} as const satisfies Record<Verdict, string | undefined>;

function correctionText({ discoveries, kind }: ComparisonList, { correct }: ComparisonView): string {
  // Adaptive verdicts are always corrected.
  if (!correct || kind === 'sequential') return '';
  const { found, survive, tested } = discoveries;
  return `Of ${tested} tests ${found} found a difference (p < 0.05); ${survive} of them ${survive === 1 ? 'survives' : 'survive'} Benjamini and Hochberg's correction.`;
}

/** A longer list is cut. */
const mostListed = 50;

function gateIsCrossed(
  comparisons: readonly Comparison[],
  gates: readonly Gate[],
  { correct = false, missing }: ComparisonView,
  terminal: Terminal,
): boolean {
  const { crossed, unjudged } = applyGates(comparisons, gates, { corrected: correct });
  const failed = terminal.paint('red', 'failed:', 'stderr');
  const named = unjudged.map((each) => `${caseName(each)}: `);
  const open = [
    ...(missing ?? []),
    ...named
      .filter((name) => missing?.some((text) => text.startsWith(name)) !== true)
      .map((name) => `${name}too few or too noisy runs`),
  ];
  if (open.length > 0) {
    const lines = open.slice(0, mostListed);
    if (open.length > mostListed) lines.push(`and ${open.length - mostListed} more`);
    const what = `--fail-on cannot judge ${counted(open.length, 'item')}`;
    terminal.notice(
      [
        missing === undefined
          ? `warning: ${what}`
          : `${failed} ${what}, so the comparison does not pass: measure what is missing, or accept it with --allow-missing`,
        ...lines.map((line) => `    ${line}`),
      ].join('\n'),
    );
  }
  if (crossed.length > 0) {
    terminal.notice(
      `${failed} ${crossed.length} of ${comparisons.length} comparisons crossed ${gates.map(({ text }) => text).join(' or ')} (${shortList(crossed.map(withInterval))})`,
    );
  }
  return crossed.length > 0 || (missing !== undefined && open.length > 0);
}

function withInterval(comparison: Comparison): string {
  const { ratio } = comparison.judgement;
  const interval = ratio === null ? '' : `: ${ratioChange(ratio.low)} to ${ratioChange(ratio.high)}`;
  return `${caseName(comparison)}${interval}`;
}
