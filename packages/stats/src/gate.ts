import { UsageError } from '@bench-cli/results';
import type { Comparison } from './comparison.ts';
import type { Judgement } from './judgement.ts';

/** A threshold for a change that is not accepted, such as `slower>=5%`. */
export interface Gate {
  readonly direction: 'slower' | 'faster';
  /** The least change that counts, a fraction. */
  readonly threshold: number;
  /** Whether a change of exactly the threshold counts. */
  readonly inclusive: boolean;
  /** As it was written. */
  readonly text: string;
}

const GATE = /^\s*(slower|faster)\s*(?:(>=|>)\s*(\d+(?:\.\d+)?)\s*(%)?)?\s*$/;

/**
 * Reads a gate: `slower`, `slower>5%`, `slower>=5%`, and the same with `faster`.
 *
 * @throws UsageError for anything else, and for a threshold without the sign for per cent.
 */
export function parseGate(text: string): Gate {
  const [, word, sign, amount, percent] = GATE.exec(text) ?? [];
  const direction = word === 'slower' || word === 'faster' ? word : undefined;
  if (direction === undefined || (amount !== undefined && percent === undefined)) {
    throw new UsageError(
      'ERR_BENCH_GATE',
      `"${text}" is no threshold: write slower or faster, and by how much at least, such as slower>=5%`,
    );
  }
  return { direction, threshold: Number(amount ?? 0) / 100, inclusive: sign === '>=', text: text.trim() };
}

/** What a gate came to. */
export interface GateResult {
  /** Comparisons that cross the threshold. */
  readonly crossed: readonly Comparison[];
  /** Comparisons without an interval, which no gate can judge. */
  readonly unjudged: readonly Comparison[];
}

/**
 * Applies gates to comparisons. A comparison crosses `slower>=5%` when the whole interval of its ratio lies at
 * or below 0.95: the data then rule out that the loss is smaller. A point estimate beyond the threshold with an
 * interval that reaches back over it does not cross it.
 *
 * `corrected` asks for comparisons that survive Benjamini and Hochberg's correction, too; default false.
 */
export function applyGates(
  comparisons: readonly Comparison[],
  gates: readonly Gate[],
  { corrected = false }: { readonly corrected?: boolean } = {},
): GateResult {
  return {
    crossed: comparisons.filter(
      (comparison) =>
        gates.some((gate) => crosses(comparison.judgement, gate)) &&
        (!corrected || (comparison.adjustedP ?? 1) < 0.05),
    ),
    unjudged: comparisons.filter(({ judgement }) => judgement.ratio === null),
  };
}

function crosses({ ratio }: Judgement, { direction, threshold, inclusive }: Gate): boolean {
  if (ratio === null) return false;
  const certain = direction === 'slower' ? 1 - ratio.high : ratio.low - 1;
  return inclusive && threshold > 0 ? certain >= threshold : certain > threshold;
}
