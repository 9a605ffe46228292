import type { ComparisonList } from '../src/comparison.ts';
import { isDifference } from '../src/judgement.ts';
import { DEFAULT_MAX_RUNS } from '../src/sequential/sequential-family.ts';
import { caseAt, FIXED_RUNS, judgeAdaptively, judgeFixedRuns, type MeasuredCase } from './command.ts';
import { type Estimate, meanOf } from './estimate.ts';
import type { Noise } from './noise.ts';
import { between, type Random } from './random.ts';

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

/** A case with the logarithm of the true rate, by subject. */
interface KnownCase extends MeasuredCase {
  readonly gains: ReadonlyMap<string, number>;
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
    { rule: 'fixed 30', judge: fixed, results: [] as CommandResult[] },
    { rule: 'auto', judge: judgeAdaptively, results: [] as CommandResult[] },
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

const fixed = (cases: readonly MeasuredCase[]): ComparisonList => judgeFixedRuns(cases, FIXED_RUNS);

type CommandResult = { readonly [Key in Exclude<keyof SubjectsResult, 'rule'>]: number };

function measureCase(at: number, changed: number, noises: readonly Noise[], random: Random): KnownCase {
  const noise = noises[Math.floor(random.uniform() * noises.length)];
  if (noise === undefined) throw new RangeError('a simulation needs a noise');
  const deviation = between(random, 0.005, 0.04);
  const gains = new Map(
    SUBJECTS.map((subject, place) => [subject, place > 0 && random.uniform() < changed ? gainOf(random) : 0]),
  );
  const drawn = Array.from(gains, ([subject, gain]) => {
    const logs = noise.draw(random, DEFAULT_MAX_RUNS, deviation).old;
    return [subject, logs.map((log) => Math.exp(gain + log))] as const;
  });
  return { of: caseAt(at), gains, rates: new Map(drawn) };
}

function gainOf(random: Random): number {
  const gain = Math.log1p(between(random, 0.01, 0.1));
  return random.uniform() < 0.5 ? gain : -gain;
}

function resultOf(measured: readonly KnownCase[], list: ComparisonList): CommandResult {
  const gainsByKey = new Map(measured.map(({ of, gains }) => [of.key, gains]));
  const gainOf = (key: string, subject: string) => gainsByKey.get(key)?.get(subject) ?? 0;
  const found = list.comparisons.filter(({ verdict }) => isDifference(verdict));
  const right = found.filter(({ key, subject, verdict }) =>
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
