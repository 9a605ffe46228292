import { UsageError } from '@bench-cli/results';
import type { Comparison } from './comparison.ts';
import type { Judgement } from './judgement.ts';

/** A threshold of a change that is not accepted, such as `slower>=5%`. */
export interface Gate {
  readonly direction: 'slower' | 'faster';
  /** The smallest change that crosses the gate, a fraction. */
  readonly threshold: number;
  /** Whether a change of exactly the threshold crosses the gate. */
  readonly inclusive: boolean;
  /** The text that it was read from. */
  readonly text: string;
}

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
  return { direction, threshold: percentage / 100, inclusive: sign === '>=', text: text.trim() };
}

/** The comparisons that gates found. */
export interface GateResult {
  /** Comparisons that cross a gate. */
  readonly crossed: readonly Comparison[];
  /** Comparisons without an interval, which gates cannot judge. */
  readonly unjudged: readonly Comparison[];
}

/**
 * Applies gates to comparisons. A comparison crosses `slower>=5%` if the whole interval of its ratio lies at or below
 * 0.95, so that the data rule out a smaller loss. An estimate beyond the threshold is not enough.
 *
 * @param options `corrected`: whether a comparison must also survive Benjamini and Hochberg's correction; default: false
 */
export function applyGates(
  comparisons: readonly Comparison[],
  gates: readonly Gate[],
  { corrected = false }: { readonly corrected?: boolean } = {},
): GateResult {
  return {
    crossed: comparisons.filter(
      (comparison) =>
        gates.some((gate) => crosses(comparison.judgement, gate)) && (!corrected || comparison.survives),
    ),
    unjudged: comparisons.filter(({ judgement }) => judgement.ratio === null),
  };
}

function crosses({ ratio }: Judgement, { direction, threshold, inclusive }: Gate): boolean {
  if (ratio === null) return false;
  const certain = direction === 'slower' ? 1 - ratio.high : ratio.low - 1;
  return inclusive && threshold > 0 ? certain >= threshold : certain > threshold;
}
