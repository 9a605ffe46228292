import { UsageError } from '@bench-cli/results';
import type { Comparison, ComparisonList } from './comparison.ts';
import { adjustForNumber } from './correction.ts';
import { isBeyond, ratioP } from './ratio.ts';
import { SequentialBoundary } from './sequential/boundary.ts';
import { sequentialP } from './sequential/sequential-comparison.ts';
import { meansOf } from './tested.ts';

/** A threshold of a change that is not accepted, such as `slower>=5%`. */
export interface Gate {
  /** The ratio that must be passed: 0.95 for `slower>5%`. */
  readonly limit: number;
  /** The text that it was read from. */
  readonly text: string;
}

/** More than a rounding error, and less than any difference that matters. */
const HAIR = 1e-12;

const GATE = /^\s*(slower|faster)\s*(?:(>=|>)\s*(\d+(?:\.\d+)?)\s*(%)?)?\s*$/;

/**
 * Reads a gate: `slower`, `slower>5%`, `slower>=5%`, and the same with `faster`.
 *
 * @throws UsageError for any other text, also for a threshold without `%`
 */
export function parseGate(text: string): Gate {
  const [, word, sign, amount, percent] = GATE.exec(text) ?? [];
  const direction = word === 'slower' || word === 'faster' ? word : undefined;
  if (direction === undefined || (amount !== undefined && percent === undefined)) {
    throw new UsageError(
      'ERR_BENCH_GATE',
      `invalid threshold "${text}": expected slower or faster and a percentage, such as slower>=5%`,
    );
  }
  const percentage = Number(amount ?? 0);
  if (direction === 'slower' && percentage >= 100) {
    throw new UsageError(
      'ERR_BENCH_GATE',
      `the threshold "${text}" cannot be crossed: nothing is slower by 100 % or more; expected a percentage below 100`,
    );
  }
  // Rates that do not vary can be exactly at the threshold, which only `>=` includes.
  const distance = percentage / 100 + (sign === '>=' && percentage > 0 ? -HAIR : HAIR);
  return { limit: direction === 'slower' ? 1 - distance : 1 + distance, text: text.trim() };
}

/** The comparisons that gates found. */
export interface GateResult {
  /** Comparisons that cross a gate, each with its p-value against the threshold after the correction. */
  readonly crossed: readonly { readonly comparison: Comparison; readonly adjustedP: number }[];
  /** Comparisons with a difference that was measured beyond a threshold, but is not certain to be. */
  readonly uncertain: readonly Comparison[];
  /** Comparisons without an interval, which gates cannot judge. */
  readonly unjudged: readonly Comparison[];
}

/**
 * Applies gates to all comparisons of a list. A comparison crosses `slower>=5%` if the test of a ratio of 0.95 or more, corrected
 * for the number of comparisons, is below the level of the list. If no true ratio is below 0.95, one or more comparisons cross
 * with a probability of at most that level, with each correction.
 *
 * The p-value is twice that of a one-sided test. It is therefore never below the p-value of the judgement: what crosses a gate
 * also survives the correction, and its interval lies beyond the threshold. And a gate in each direction is one test, because
 * only one of them can be crossed.
 */
export function applyGates(list: ComparisonList, gates: readonly Gate[]): GateResult {
  const comparisons: readonly Comparison[] = list.comparisons;
  const limits = gates.map(({ limit }) => limit);
  const byGate = limits.map((limit) => pBeyond(list, limit));
  const ps = comparisons.map(({ judgement }, at) =>
    judgement.ratio === null ? null : Math.min(1, ...byGate.map((ofGate) => ofGate[at] ?? 1)),
  );
  // Also those that are tested and have no interval, as for the p-values of the judgements.
  const size = list.kind === 'sequential' ? list.size : list.discoveries.tested;
  const adjusted = adjustForNumber(ps, list.correction, size);
  const isCrossed = (at: number) => (adjusted[at] ?? 1) < list.errorRate;
  return {
    crossed: comparisons.flatMap((comparison, at) =>
      isCrossed(at) ? [{ comparison, adjustedP: adjusted[at] ?? 1 }] : [],
    ),
    uncertain: comparisons.filter(
      ({ judgement: { ratio, p } }, at) =>
        ratio !== null &&
        (p ?? 1) < list.errorRate &&
        limits.some((limit) => isBeyond(ratio.ratio, limit)) &&
        !isCrossed(at),
    ),
    unjudged: comparisons.filter(({ judgement }) => judgement.ratio === null),
  };
}

/**
 * The p-value of each comparison for the null hypothesis that its true ratio is not beyond a limit: not below a limit under 1,
 * or not above a limit over 1. Twice that of the one-sided test, like the p-values of judgements. Null without an interval.
 */
export function pBeyond(list: ComparisonList, limit: number): (number | null)[] {
  if (list.kind === 'sequential') {
    const boundary = SequentialBoundary.for(list.maxRuns);
    return list.comparisons.map(({ judgement }) =>
      judgement.ratio === null ? null : sequentialP(judgement, limit, boundary),
    );
  }
  return list.comparisons.map((comparison) => {
    const means = comparison.judgement.ratio && meansOf(comparison);
    return means && ratioP(means, limit);
  });
}
