import {
  type ComparedRun,
  caseOfText,
  comparisonKey,
  pairsWithBaseline,
  samplePairs,
} from '@bench-cli/results';
import { type ComparisonList, compareFixed, compareSequentially } from '../src/comparison.ts';
import { DEFAULT_MAX_RUNS, SequentialFamily } from '../src/sequential/sequential-family.ts';
import { type Estimate, meanOf } from './estimate.ts';
import type { Noise } from './noise.ts';
import type { Random } from './random.ts';
import { FIXED_RUNS } from './rules.ts';

/** The results of many commands with several subjects under one rule. Each figure is a mean over the commands. */
export interface SubjectsResult {
  readonly rule: string;
  /** The share of the differences from the baseline that survive the correction and do not exist. */
  readonly falseDiscoveries: Estimate;
  /** The number of those that do exist. */
  readonly discoveries: Estimate;
  /** The share of the pairs without the baseline that have no common letter and do not differ. */
  readonly falseDistinctions: Estimate;
  /** The number of those that do differ. */
  readonly distinctions: Estimate;
  /** Runs of each case and subject. */
  readonly runs: Estimate;
}

const SUBJECTS = ['a', 'b', 'c', 'd'];
const CASES = 100;

/** The rates of one case. */
interface MeasuredCase {
  readonly of: ReturnType<typeof caseOfText>;
  /** The logarithm of the true rate, by subject. */
  readonly gains: ReadonlyMap<string, number>;
  readonly rates: ReadonlyMap<string, Float64Array>;
}

/**
 * Judges commands with 4 subjects and 100 cases, on the same runs by a fixed number of runs and by adaptive runs.
 *
 * @param changed the share of the subjects that differ from the baseline in a case, by 1 to 10 % in either direction
 * @param noises each case has one of them, with a standard deviation of 0.5 to 4 %
 */
export function simulateSubjects(
  { changed, noises }: { readonly changed: number; readonly noises: readonly Noise[] },
  commands: number,
  random: Random,
): readonly SubjectsResult[] {
  const rules = [
    { rule: 'fixed 30, corrected', judge: judgeFixedRuns, results: [] as CommandResult[] },
    { rule: 'auto', judge: judgeAdaptiveRuns, results: [] as CommandResult[] },
  ];
  for (let command = 0; command < commands; command++) {
    const measured = Array.from({ length: CASES }, (_, at) => measureCase(at, changed, noises, random));
    for (const { judge, results } of rules) results.push(resultOf(measured, judge(measured)));
  }
  return rules.map(({ rule, results }) => ({
    rule,
    falseDiscoveries: meanOf(results.map(({ falseDiscoveries }) => falseDiscoveries)),
    discoveries: meanOf(results.map(({ discoveries }) => discoveries)),
    falseDistinctions: meanOf(results.map(({ falseDistinctions }) => falseDistinctions)),
    distinctions: meanOf(results.map(({ distinctions }) => distinctions)),
    runs: meanOf(results.map(({ runs }) => runs)),
  }));
}

type CommandResult = { readonly [Key in Exclude<keyof SubjectsResult, 'rule'>]: number };

function measureCase(at: number, changed: number, noises: readonly Noise[], random: Random): MeasuredCase {
  const noise = noises[Math.floor(random.uniform() * noises.length)];
  if (noise === undefined) throw new RangeError('a simulation needs a noise');
  const deviation = 0.005 + 0.035 * random.uniform();
  const gains = new Map(
    SUBJECTS.map((subject, place) => [subject, place > 0 && random.uniform() < changed ? gainOf(random) : 0]),
  );
  const rates = new Map(
    Array.from(gains, ([subject, gain]) => [
      subject,
      noise.draw(random, DEFAULT_MAX_RUNS).old.map((disturbance) => Math.exp(gain + deviation * disturbance)),
    ]),
  );
  return { of: caseOfText('a', `at=${at}`), gains, rates };
}

function gainOf(random: Random): number {
  const gain = Math.log1p(0.01 + 0.09 * random.uniform());
  return random.uniform() < 0.5 ? gain : -gain;
}

function judgeFixedRuns(measured: readonly MeasuredCase[]): ComparisonList {
  const runs = measured.flatMap((each) =>
    Array.from({ length: FIXED_RUNS }, (_, round) => runsOf(each, SUBJECTS, round)).flat(),
  );
  return compareFixed(samplePairs(runs, SUBJECTS));
}

/** A subject runs until its comparison with the baseline is decided, and the baseline as long as any other. */
function judgeAdaptiveRuns(measured: readonly MeasuredCase[]): ComparisonList {
  const pairs = pairsWithBaseline(SUBJECTS);
  const family = new SequentialFamily({}, CASES * pairs.length);
  const runs: ComparedRun[] = [];
  for (let round = 0; round < DEFAULT_MAX_RUNS; round++) {
    for (const each of measured) {
      const open = pairs.filter((pair) => family.isOpen(comparisonKey({ ...each.of, ...pair })));
      if (open.length === 0) continue;
      const subjects = [...new Set(open.flatMap(({ baseline, subject }) => [baseline, subject]))];
      runs.push(...runsOf(each, subjects, round));
      for (const pair of open) {
        const [old, new_] = [rateOf(each, pair.baseline, round), rateOf(each, pair.subject, round)];
        family.add(comparisonKey({ ...each.of, ...pair }), old, new_);
      }
    }
    family.judge();
  }
  const session = { runs, subjects: SUBJECTS, options: {}, cases: CASES };
  return compareSequentially(session, samplePairs(runs, SUBJECTS));
}

function runsOf(each: MeasuredCase, subjects: readonly string[], round: number): readonly ComparedRun[] {
  const { benchmark, configuration } = each.of;
  return subjects.map((subject) => ({
    ...{ benchmark, configuration, subject, round },
    rate: rateOf(each, subject, round),
  }));
}

function rateOf({ rates }: MeasuredCase, subject: string, round: number): number {
  return rates.get(subject)?.[round] ?? Number.NaN;
}

function resultOf(measured: readonly MeasuredCase[], list: ComparisonList): CommandResult {
  const gainsByKey = new Map(measured.map(({ of, gains }) => [of.key, gains]));
  const gainOf = (key: string, subject: string) => gainsByKey.get(key)?.get(subject) ?? 0;
  const found = list.comparisons.filter(({ survives }) => survives);
  const right = found.filter(({ key, subject, judgement: { verdict } }) =>
    verdict === 'higher' ? gainOf(key, subject) > 0 : gainOf(key, subject) < 0,
  );
  const [, ...others] = SUBJECTS;
  const pairs = others.flatMap((b, at) => others.slice(0, at).map((a) => [a, b] as const));
  const apart = Object.entries(list.ties).flatMap(([key, ties]) =>
    pairs
      .filter(([a, b]) => !ties.some((tie) => tie.includes(a) && tie.includes(b)))
      .map(([a, b]) => gainOf(key, a) !== gainOf(key, b)),
  );
  const distinctions = apart.filter((isRight) => isRight).length;
  const runs = list.comparisons.reduce((sum, { new: sample }) => sum + (sample?.n ?? 0), 0);
  return {
    falseDiscoveries: found.length === 0 ? 0 : (found.length - right.length) / found.length,
    discoveries: right.length,
    falseDistinctions: apart.length === 0 ? 0 : (apart.length - distinctions) / apart.length,
    distinctions,
    runs: runs / list.comparisons.length,
  };
}
