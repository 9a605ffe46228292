import {
  type Condition,
  comparisonKey,
  isBuiltIn,
  type MissingResult,
  missingResults,
} from '@bench-cli/results';
import type { Comparison } from './comparison.ts';
import { applyGates, checkGates, type Gate, type GatedComparison, type GateResult } from './gate.ts';
import type { JudgedResults } from './judged-results.ts';

/**
 * Something that gates cannot judge.
 * - `nothing`: no run succeeded.
 * - `too few runs`: a comparison has too few or too noisy runs.
 * - `no value`: a metric with a gate has no value of a comparison of the rate; benchmarks need not report metrics of their own.
 */
export type UnjudgedItem =
  | { readonly kind: 'nothing' }
  | MissingResult
  | ({ readonly kind: 'too few runs' } & GatedComparison)
  | { readonly kind: 'no value'; readonly metric: string; readonly comparison: Comparison };

/** Whether a comparison passes its gates, and why not. */
export interface GateOutcome extends Omit<GateResult, 'unjudged'> {
  readonly passes: boolean;
  readonly unjudged: readonly UnjudgedItem[];
  /** How many comparisons the gates judge. */
  readonly size: number;
}

export interface GateConditions {
  /** Whether results that are missing are accepted. */
  readonly allowMissing?: boolean | undefined;
  /** The conditions that the cases meet. */
  readonly where?: readonly Condition[];
}

/**
 * Applies gates to all that is known of a comparison. What gates cannot judge does not pass, unless it is accepted: otherwise a
 * benchmark that fails would pass. Cases that are not compared have nothing to judge.
 *
 * @throws UsageError as `checkGates`
 */
export function judgeGates(
  { list, metrics, newCases, recordings }: JudgedResults,
  gates: readonly Gate[],
  { allowMissing = false, where = [] }: GateConditions = {},
): GateOutcome {
  checkGates(
    gates,
    metrics.map(({ metric }) => metric),
  );
  const { crossed, uncertain, unjudged: open } = applyGates(list, gates, metrics);
  const gated = new Set(gates.map(({ metric }) => metric));
  const judged = [
    ...(gated.has(undefined) ? [list] : []),
    ...metrics.filter(({ metric }) => gated.has(metric.name)).map((each) => each.list),
  ];
  const size = judged.reduce((sum, { comparisons }) => sum + comparisons.length, 0);
  if (list.comparisons.length + newCases.length === 0) {
    return { passes: false, crossed, uncertain, unjudged: [{ kind: 'nothing' }], size };
  }
  const missing = allowMissing ? [] : missingResults(recordings, where);
  const missingKeys = new Set(missing.flatMap((each) => (each.kind === 'no run' ? each.reportedKeys : [])));
  const isMissing = ({ metric, key, old, new: new_ }: Comparison) =>
    metric === undefined && (old === null || new_ === null) && missingKeys.has(key);
  const unjudged = [
    ...missing,
    ...open
      .filter(({ comparison }) => !isMissing(comparison))
      .map((each) => ({ kind: 'too few runs', ...each }) as const),
    ...metrics
      .filter(({ metric }) => gated.has(metric.name) && isBuiltIn(metric.name))
      .flatMap(({ metric, list: ofMetric }) => {
        const known = new Set(ofMetric.comparisons.map(comparisonKey));
        const comparisons: readonly Comparison[] = list.comparisons;
        return comparisons
          .filter((comparison) => !known.has(comparisonKey(comparison)))
          .map((comparison) => ({ kind: 'no value', metric: metric.name, comparison }) as const);
      }),
  ];
  const passes = crossed.length === 0 && (allowMissing || unjudged.length === 0);
  return { passes, crossed, uncertain, unjudged, size };
}
