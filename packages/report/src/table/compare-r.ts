import { counted, type RatePair } from '@bench-cli/results';
import type { Comparison } from '@bench-cli/stats';
import { halfWidth, summaryOf, welchTest } from '@bench-cli/stats/internal';
import { fixedPoint, NONE, percent } from '../figure-text.ts';
import { resultWord } from '../reason-text.ts';
import { type Column, columnsOf } from './table.ts';

/**
 * The figures of Node core's compare.R, which no verdict reads. Accuracies are half-widths of the interval of
 * the difference at three risks, divided by the old mean, which is treated as exact.
 */
interface CompareRFigures {
  /** The change, a fraction of the old mean; null without runs, or if the old mean is 0. */
  readonly improvement: number | null;
  /** Uncorrected, of Welch's test; null with fewer than two runs of a subject. */
  readonly p: number | null;
  /** At the risks of `RISKS`; null without a test, or if the old mean is 0. */
  readonly accuracies: readonly number[] | null;
}

const RISKS = [0.05, 0.01, 0.001];

export function compareRFigures(samples: RatePair): CompareRFigures {
  const [old, new_] = [summaryOf(samples.old), summaryOf(samples.new)];
  if (!old || !new_) return { improvement: null, p: null, accuracies: null };
  const test = welchTest(old, new_);
  const hasShares = Number.isFinite(new_.mean / old.mean);
  return {
    improvement: hasShares ? (new_.mean - old.mean) / old.mean : null,
    p: test?.p ?? null,
    accuracies: test && hasShares ? RISKS.map((risk) => halfWidth(test, risk) / old.mean) : null,
  };
}

/** A star for each risk above the p-value. */
export function starsOf(p: number): string {
  return '*'.repeat(RISKS.filter((risk) => p < risk).length);
}

/** The columns of compare.R, with `NA` for `NaN %` and `Inf %`, and a word for a side without a run. */
export function compareRColumns(comparisons: readonly Comparison[]): readonly Column<Comparison>[] {
  const figures = new Map(comparisons.map((each) => [each, compareRFigures(each.samples)]));
  const { figure } = columnsOf<Comparison>();
  const column = (title: string, cell: (figures: CompareRFigures) => string | null) =>
    figure(title, (comparison) => {
      if (comparison.old === null || comparison.new === null)
        return title === 'improvement' ? resultWord(comparison) : NONE;
      const found = figures.get(comparison);
      return (found && cell(found)) ?? 'NA';
    });
  return [
    column('confidence', ({ p }) => (p === null ? null : starsOf(p))),
    column('improvement', ({ improvement }) => (improvement === null ? null : `${percent(improvement)} %`)),
    ...['accuracy (*)', '(**)', '(***)'].map((title, at) =>
      column(title, ({ accuracies }) => accuracies && `±${percent(accuracies[at] ?? 0)}%`),
    ),
  ];
}

export function falsePositiveParagraph(comparisons: number): string {
  return `
Be aware that when doing many comparisons the risk of a false-positive
result increases. In this case, there are ${comparisons} comparisons, you can thus
expect the following amount of false-positive results:
  ${fixedPoint(comparisons * 0.05, 2)} false positives, when considering a   5% risk acceptance (*, **, ***),
  ${fixedPoint(comparisons * 0.01, 2)} false positives, when considering a   1% risk acceptance (**, ***),
  ${fixedPoint(comparisons * 0.001, 2)} false positives, when considering a 0.1% risk acceptance (***)
`;
}

/** Why undecided comparisons with enough runs can have a star; empty without such comparisons. */
export function starLines(comparisons: readonly Comparison[]): readonly string[] {
  const { length } = comparisons.filter(
    ({ reason, isFound, samples }) =>
      reason === 'limit' && !isFound && starsOf(compareRFigures(samples).p ?? 1) !== '',
  );
  const stars = `The stars of ${counted(length, 'undecided comparison')} are those of Welch's test alone, which ranks or the pairs of rounds do not support.`;
  return length === 0 ? [] : [stars];
}
