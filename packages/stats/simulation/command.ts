import {
  type ComparedRun,
  caseOfText,
  comparisonKey,
  type NamedCase,
  pairsWithBaseline,
  type SamplePair,
  samplePairs,
} from '@bench-cli/results';
import type { FixedList, SequentialList } from '../src/comparison.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { DEFAULT_MAX_RUNS, SequentialFamily } from '../src/sequential/sequential-family.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';
import { measurePairs, type Noise, type Truth } from './noise.ts';
import type { Random } from './random.ts';

/** The rates of all runs that a case can have; NaN for a run that failed. */
export interface MeasuredCase {
  readonly of: NamedCase;
  /** By subject, the baseline first. */
  readonly rates: ReadonlyMap<string, Float64Array>;
}

/** The default number of runs of `compare`. */
export const FIXED_RUNS = 30;

/** Measures cases under two subjects. */
export function measureCases(
  noise: Noise,
  truths: readonly Truth[],
  random: Random,
): readonly MeasuredCase[] {
  return truths.map((truth, at) => ({
    of: caseAt(at),
    rates: new Map(Object.entries(measurePairs(noise, truth, random, DEFAULT_MAX_RUNS))),
  }));
}

export function caseAt(at: number): NamedCase {
  return caseOfText('a', `at=${at}`);
}

/** The rounds of runs of which none failed. */
export function roundsOf(runs: number) {
  const rounds = Array.from({ length: runs }, (_, round) => round);
  return { old: rounds, new: rounds };
}

/** The first runs of all cases. */
function samplesOf(cases: readonly MeasuredCase[], runs: number): readonly SamplePair[] {
  return cases.flatMap(({ of, rates }) => {
    const firstOf = (subject: string) =>
      Array.from(rates.get(subject)?.subarray(0, runs) ?? [], (rate, round) => ({ rate, round })).filter(
        ({ rate }) => !Number.isNaN(rate),
      );
    return pairsWithBaseline([...rates.keys()]).map((pair) => {
      const [first, second] = [firstOf(pair.baseline), firstOf(pair.subject)];
      return {
        ...{ ...of, ...pair },
        old: first.map(({ rate }) => rate),
        new: second.map(({ rate }) => rate),
        rounds: { old: first.map(({ round }) => round), new: second.map(({ round }) => round) },
      };
    });
  });
}

/** Judges a fixed number of runs. */
export function judgeFixedRuns(cases: readonly MeasuredCase[], runs: number): FixedList {
  return compareFixed(samplesOf(cases, runs));
}

/**
 * Judges as `compare --runs auto`: a subject runs until its comparison with the baseline is decided, and the baseline as long as any
 * other. The judgement is that of the recorded runs.
 *
 * @param limits of gates
 */
export function judgeAdaptively(
  cases: readonly MeasuredCase[],
  limits: readonly number[] = [],
): SequentialList {
  const subjects = [...(cases[0]?.rates.keys() ?? [])];
  const pairs = pairsWithBaseline(subjects);
  const keyed = cases.map(({ of, rates }) => ({
    ...{ of, rates },
    pairs: pairs.map((pair) => ({ ...pair, key: comparisonKey({ ...of, ...pair }) })),
  }));
  const family = new SequentialFamily({ limits }, cases.length * pairs.length);
  const runs: ComparedRun[] = [];
  for (let round = 0; round < DEFAULT_MAX_RUNS; round++) {
    const before = runs.length;
    for (const { of, rates, pairs } of keyed) {
      const rateOf = (subject: string) => rates.get(subject)?.[round] ?? Number.NaN;
      const open = pairs.filter(({ key }) => family.isOpen(key));
      for (const { key, baseline, subject } of open) {
        const [old, new_] = [rateOf(baseline), rateOf(subject)];
        if (!Number.isNaN(old + new_)) family.add(key, old, new_);
      }
      runs.push(...runsOf(of, round, new Set(open.flatMap((pair) => [pair.baseline, pair.subject])), rateOf));
    }
    if (runs.length === before) break;
    family.judge();
  }
  return judgeRecorded(runs, subjects, cases.length);
}

/** Judges runs that go on after each verdict, as if one process measured all cases: the most looks that there can be. */
export function judgeAllRuns(cases: readonly MeasuredCase[]): SequentialList {
  const subjects = [...(cases[0]?.rates.keys() ?? [])];
  const runs = cases.flatMap(({ of, rates }) =>
    Array.from({ length: DEFAULT_MAX_RUNS }, (_, round) =>
      runsOf(of, round, subjects, (subject) => rates.get(subject)?.[round] ?? Number.NaN),
    ).flat(),
  );
  return judgeRecorded(runs, subjects, cases.length);
}

function runsOf(
  { benchmark, configuration }: NamedCase,
  round: number,
  subjects: Iterable<string>,
  rateOf: (subject: string) => number,
): readonly ComparedRun[] {
  return Array.from(subjects, (subject) => ({
    ...{ benchmark, configuration, round, subject },
    values: { rate: rateOf(subject) },
  })).filter(({ values }) => !Number.isNaN(values.rate));
}

function judgeRecorded(
  runs: readonly ComparedRun[],
  subjects: readonly string[],
  cases: number,
): SequentialList {
  const session = { runs, subjects, options: {}, cases };
  return compareSequentially(session, samplePairs(runs, subjects));
}
