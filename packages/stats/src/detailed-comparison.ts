import { type AssumptionFailure, examineSample, FEW_RUNS } from './assumption.ts';
import type { CompareOptions, Comparison, SubjectRole } from './comparison.ts';
import {
  type ComparisonList,
  comparePair,
  comparisonName,
  falsePositivesOf,
  type NamedComparison,
  type SamplePair,
  warningGroups,
} from './comparison-list.ts';
import { hedgesG, hedgesGWithinMachines } from './effect-size.ts';
import { adjustForDiscoveries } from './false-discovery.ts';
import { meansOf } from './machine.ts';
import { mannWhitneyTest, type RankTest } from './mann-whitney.ts';
import { nameOrder } from '@bench-cli/results';
import { intervalOfRatio, type RatioInterval } from './ratio.ts';
import type { SequentialJudgement } from './sequential/sequential-comparison.ts';
import { vanElterenTest } from './van-elteren.ts';

/** A comparison with the figures that compare.R does not have. */
export interface DetailedComparison extends NamedComparison {
  readonly ratio: RatioInterval | null;
  /** Hedges' g, in standard deviations of a run. */
  readonly effectSize: number | null;
  readonly rankTest: RankTest | null;
  /** Welch's p after Benjamini and Hochberg's correction for all comparisons of the list. */
  readonly adjustedP: number | null;
  /** What decided on the number of its runs, where the runs themselves did; else null. */
  readonly sequential: SequentialJudgement | null;
  /** What is wrong with the samples, by subject. */
  readonly assumptions: readonly (AssumptionFailure & { readonly subject: SubjectRole })[];
}

/** How many findings there are before and after the correction for their number. */
export interface Discoveries {
  /** Comparisons with p < 0.05. */
  readonly found: number;
  /** Those of them that remain below 0.05 after Benjamini and Hochberg's correction. */
  readonly survive: number;
  /** Comparisons that could be tested. */
  readonly tested: number;
}

export interface DetailedList extends ComparisonList {
  readonly comparisons: readonly DetailedComparison[];
  readonly discoveries: Discoveries;
  /** The share of false verdicts that was accepted where runs ended by what they showed; else null. */
  readonly errorRate: number | null;
}

/**
 * Compares the two samples of every configuration as `compareAll` does, and adds intervals of the ratio, effect
 * sizes, a rank test, corrected p-values, and warnings about samples that a t-test does not fit. It takes about
 * twice the time.
 *
 * @throws StatsInputError as `compareSamples` does.
 */
export function compareInDetail(pairs: Iterable<SamplePair>, options?: CompareOptions): DetailedList {
  const order = nameOrder();
  const details = Array.from(pairs, (pair) => detailOf(pair, options)).sort((a, b) =>
    order(comparisonName(a), comparisonName(b)),
  );
  const pValues = details.map(({ test }) => (test.kind === 'none' ? null : test.p));
  const adjusted = adjustForDiscoveries(pValues);
  const comparisons = details.map((detail, index) => ({ ...detail, adjustedP: adjusted[index] ?? null }));
  return {
    comparisons,
    falsePositives: falsePositivesOf(comparisons.length),
    warnings: warningGroups(comparisons),
    errorRate: null,
    discoveries: {
      found: pValues.filter((p) => p !== null && p < 0.05).length,
      survive: adjusted.filter((p) => p !== null && p < 0.05).length,
      tested: pValues.filter((p) => p !== null).length,
    },
  };
}

function detailOf(
  pair: SamplePair,
  options: CompareOptions | undefined,
): Omit<DetailedComparison, 'adjustedP'> {
  const { benchmark, configuration, old, new: new_ } = pair;
  const comparison = comparePair(pair, options);
  const means = meansOf(comparison);
  const assumptions = (['old', 'new'] as const).flatMap((subject) =>
    failuresOf(pair, subject).map((failure) => ({ ...failure, subject })),
  );
  return {
    benchmark,
    configuration,
    ...comparison,
    ratio: means && intervalOfRatio(means),
    effectSize: effectSizeOf(comparison),
    rankTest:
      comparison.machines === undefined ? mannWhitneyTest(old, new_) : vanElterenTest(pair.machines ?? []),
    sequential: null,
    assumptions,
    warnings: [
      ...comparison.warnings,
      ...assumptions.map(({ kind, subject }) => ({ kind, subject, message: ASSUMPTION_MESSAGES[kind] })),
    ],
  };
}

function effectSizeOf({ old: before, new: after, machines }: Comparison): number | null {
  if (machines !== undefined) return hedgesGWithinMachines(machines);
  return before && after && hedgesG(before, after);
}

/** Each machine is examined by itself: what differs between them is neither an outlier nor a second mode. */
function failuresOf({ machines = [], ...pair }: SamplePair, subject: SubjectRole): AssumptionFailure[] {
  if (machines.length < 2) return examineSample(pair[subject]);
  const n = pair[subject].length;
  const failures = machines.flatMap((machine) => examineSample(machine[subject]));
  return failures.filter(({ kind }) => kind !== 'few-runs' || n < FEW_RUNS);
}

const ASSUMPTION_MESSAGES = {
  'few-runs':
    'fewer than 10 runs of a subject: the test then rests on runs being normally distributed, which so few cannot show; run more often (--runs 30)',
  outliers:
    'some runs are far from all others, which pulls the mean and widens its interval: look at the runs, close what else ran on the machine, or trust the rank test (--columns rank)',
  'two-modes':
    'the runs of a subject fall into two groups, so that its mean describes neither: look for a cause that differs between processes (JIT, memory layout, CPU frequency), and judge by the plot',
  trend:
    'rates rise or fall from run to run, so that runs are not independent and the test is too sure: let the machine settle (bench-cli cpu fast, cooling, no other load) and run again',
} as const;
