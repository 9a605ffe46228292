import { START_UP_FACTOR, type SubjectRole } from '@bench-cli/results';
import { adjustForNumber } from './correction.ts';
import { meanOf, sumOf, varianceOf } from './moments.ts';
import { type RatioInterval, ratioInterval, ratioOfLog } from './ratio.ts';
import { summarizeSample } from './sample.ts';
import { criticalT } from './tail.ts';
import { type SquaredError, testOfErrors } from './welch.ts';

/** How much of the difference of a comparison is start-up, or why this is unknown. */
export type StartUp = MeasuredStartUp | { readonly label: 'unknown'; readonly reason: string };

export interface MeasuredStartUp {
  /**
   * - `start-up`, `final speed`: at least two thirds of the difference are start-up, or are in the later operations.
   * - `mixed`: both have a part in the difference.
   * - `opposite`: start-up differs in one direction, and the later operations in the other, each at least a third as much.
   * - `undecided`: none of these was shown.
   */
  readonly label: 'start-up' | 'final speed' | 'mixed' | 'opposite' | 'undecided';
  /** The share of start-up in the difference, a fraction; null if it is opposite or undecided. */
  readonly share: number | null;
  /** The share of start-up in the CPU time of a run, by subject. */
  readonly old: number;
  readonly new: number;
  /** The CPU time of a run of the old subject divided by that of the new one: 1.05 is 5 % faster. */
  readonly cpuRatio: number;
  /** The operations after those of a run. */
  readonly later: {
    /** The rate of the new subject divided by that of the old one, with Fieller's 95 % interval; null if it has none. */
    readonly ratio: RatioInterval | null;
    /** Of Welch's test, after Benjamini and Hochberg's correction for all of these comparisons; null without a test. */
    readonly adjustedP: number | null;
    /** Whether the rates differ: the corrected p-value is below 0.05. */
    readonly survives: boolean;
  };
}

/** CPU times of the main thread in the measured part of runs, at least two each. */
interface CountedTimes {
  /** With the count of operations of the case. */
  readonly few: readonly number[];
  /** With `START_UP_FACTOR` times as many operations. */
  readonly many: readonly number[];
}

/** The CPU times of a case under two subjects on one machine. */
export type TimePair = Readonly<Record<SubjectRole, CountedTimes>>;

export interface ComparedTimes {
  readonly machines: readonly TimePair[];
  /** The change of the time of a run by its rates, a fraction: 0.05 is 5 % longer; 0 if no difference was found. */
  readonly change: number;
}

const LEVEL = 0.05;

/**
 * Divides differences of runs with n operations into start-up and later operations.
 *
 * Method: with T for the CPU time of the measured part, an operation after the first n takes (T(4n) - T(n)) / 3n. Start-up is what T(n)
 * exceeds n of these by. So the difference of T(n) is the sum of one of start-up and one of later operations, both weighted sums of
 * four means, which Welch's test compares. A label follows the estimate of the share of start-up; one-sided tests at 5 % must also
 * exclude the opposite label, and show the direction of the difference of T(n). If that is less than half of the difference of the rates,
 * the difference is in something else, such as waiting, and the label undecided. Several machines are added up, each in units
 * of its old mean. It assumes independent runs whose means are about normal.
 * Source: B. L. Welch, Biometrika 34 (1947), which covers sums over any number of samples.
 */
export function startUpShares(comparisons: readonly ComparedTimes[]): readonly MeasuredStartUp[] {
  const parts = comparisons.map(partsOf);
  const adjusted = adjustForNumber(parts.map(({ laterRatio, later }) => laterRatio && pOf(later)));
  return parts.map((each, at) => {
    const adjustedP = adjusted[at] ?? null;
    const later = { ratio: each.laterRatio, adjustedP, survives: (adjustedP ?? 1) < LEVEL };
    const label = labelOf(each, later.survives);
    const hasShare = label !== 'opposite' && label !== 'undecided';
    const cpuRatio = 1 / (1 + each.difference(1, 0).value);
    return { label, share: hasShare ? shareOf(each) : null, old: each.old, new: each.new, cpuRatio, later };
  });
}

/**
 * The geometric mean of ratios of several cases. It finds what three runs of a single case are too few for.
 *
 * Method: Student's interval of the mean of the logarithms, from their spread between the cases. It assumes cases that are
 * independent of each other and alike.
 * @returns null for fewer than six ratios
 */
export function meanOfCases(ratios: readonly number[]): RatioInterval | null {
  const logs = ratios.map(Math.log);
  const { length: n } = logs;
  if (n < 6) return null;
  return ratioOfLog(meanOf(logs), criticalT(LEVEL, n - 1) * Math.sqrt(varianceOf(logs) / n));
}

/** A weighted sum of means, with the parts of its squared standard error. */
interface Estimate {
  readonly value: number;
  readonly errors: readonly SquaredError[];
}

type Parts = ReturnType<typeof partsOf>;

/** The later operations of a run are this part of T(4n) - T(n). */
const LATER = 1 / (START_UP_FACTOR - 1);

function partsOf({ machines, change }: ComparedTimes) {
  const units = machines.map(({ old }) => summarizeSample(old.few).mean * machines.length);
  const sum = (side: SubjectRole, few: number, many: number) =>
    totalOf(
      machines.flatMap((machine, at) => [
        weighted(machine[side].few, few / (units[at] ?? 1)),
        weighted(machine[side].many, many / (units[at] ?? 1)),
      ]),
    );
  /** New minus old, in units of T(n) of old: so many T(n) and so many T(4n). */
  const difference = (few: number, many: number) => totalOf([sum('new', few, many), sum('old', -few, -many)]);
  const share = (side: SubjectRole) => sum(side, 1 + LATER, -LATER).value / sum(side, 1, 0).value;
  const later = { old: sum('old', -LATER, LATER), new: sum('new', -LATER, LATER) };
  return {
    change,
    old: share('old'),
    new: share('new'),
    difference,
    later: difference(-LATER, LATER),
    laterRatio: rateRatio(later.old, later.new),
  };
}

function weighted(times: readonly number[], weight: number): Estimate {
  const { n, mean, variance } = summarizeSample(times);
  return { value: weight * mean, errors: [{ value: (weight ** 2 * (variance ?? 0)) / n, df: n - 1 }] };
}

function totalOf(estimates: readonly Estimate[]): Estimate {
  return {
    value: sumOf(estimates, ({ value }) => value),
    errors: estimates.flatMap(({ errors }) => errors),
  };
}

function rateRatio(old: Estimate, new_: Estimate): RatioInterval | null {
  if (!(old.value > 0 && new_.value > 0)) return null;
  const relative = ({ errors }: Estimate) =>
    errors.map(({ value, df }) => ({ value: value / new_.value ** 2, df }));
  return ratioInterval({
    ratio: old.value / new_.value,
    oldErrors: relative(new_),
    newErrors: relative(old),
  });
}

/** Less is an error of rounding, in units of T(n). */
const NEGLIGIBLE = 1e-9;

/** The two-sided p-value of a sum of 0. */
function pOf({ value, errors }: Estimate): number {
  return testOfErrors('welch', value, errors, NEGLIGIBLE).p;
}

function shareOf({ difference }: Parts): number {
  return difference(1 + LATER, -LATER).value / difference(1, 0).value;
}

function labelOf(parts: Parts, laterSurvives: boolean): MeasuredStartUp['label'] {
  const { change, difference, later } = parts;
  const startUp = difference(1 + LATER, -LATER);
  const ratio = startUp.value / later.value;
  const isOpposite = ratio < -1 / 3 && ratio > -3;
  if (isOpposite && laterSurvives && pOf(startUp) < LEVEL) return 'opposite';
  const direction = Math.sign(change);
  const isPositive = (few: number, many: number) => {
    const estimate = difference(direction * few, direction * many);
    return estimate.value > 0 && pOf(estimate) < 2 * LEVEL;
  };
  if (!isPositive(1, 0) || Math.abs(difference(1, 0).value) < Math.abs(change) / 2) return 'undecided';
  const isAbove = (share: number) => isPositive(1 + LATER - share, -LATER);
  const isBelow = (share: number) => isPositive(share - 1 - LATER, LATER);
  const share = shareOf(parts);
  if (share >= 2 / 3 && isAbove(1 / 3)) return 'start-up';
  if (share <= 1 / 3 && isBelow(2 / 3)) return 'final speed';
  return isAbove(0) && isBelow(1) ? 'mixed' : 'undecided';
}
