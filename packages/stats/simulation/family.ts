import { adjustForNumber } from '../src/correction.ts';
import {
  DEFAULT_ERROR_RATE,
  DEFAULT_MAX_RUNS,
  SequentialFamily,
} from '../src/sequential/sequential-family.ts';
import { DEFAULT_MARGIN, judgeFixed } from '../src/tested.ts';
import { type Estimate, meanOf } from './estimate.ts';
import { measurePairs, type Noise, type Pairs, type Truth } from './noise.ts';
import type { Random } from './random.ts';
import { FIXED_RUNS, type Outcome } from './rules.ts';

/** A way to judge all cases of a command together. */
export interface FamilyRule {
  readonly name: string;
  readonly judge: (measured: readonly Pairs[]) => readonly Outcome[];
}

/** The results of many commands under one rule. Each figure is a mean over the commands. */
export interface FamilyResult {
  readonly rule: FamilyRule;
  /** The share of cases called faster or slower that are not: the false discovery rate. */
  readonly falseDiscoveries: Estimate;
  /** Number of cases that are correctly called faster or slower. */
  readonly discoveries: Estimate;
  /** The share of cases called "no difference" that differ by the margin or more. */
  readonly falseEqualities: Estimate;
  /** Runs of each case and subject. */
  readonly runs: Estimate;
}

const cases = 200;

/**
 * Judges the cases of many commands by all rules, on the same runs.
 *
 * @param changed the share of the cases that differ, by 1 to 10 % in either direction
 * @param noises each case has one of them, with a standard deviation of 0.5 to 4 %
 */
export function simulateFamilies(
  { changed, noises }: { readonly changed: number; readonly noises: readonly Noise[] },
  commands: number,
  random: Random,
): readonly FamilyResult[] {
  const outcomes = familyRules.map((rule) => ({ rule, commands: [] as CommandResult[] }));
  for (let command = 0; command < commands; command++) {
    const truths = Array.from({ length: cases }, () => truthOf(random, changed));
    const measured = truths.map((truth) => {
      const noise = noises[Math.floor(random.uniform() * noises.length)];
      if (noise === undefined) throw new RangeError('a simulation needs a noise');
      return measurePairs(noise, truth, random, DEFAULT_MAX_RUNS);
    });
    for (const { rule, commands } of outcomes) commands.push(resultOf(truths, rule.judge(measured)));
  }
  return outcomes.map(({ rule, commands }) => ({
    rule,
    falseDiscoveries: meanOf(commands.map(({ falseDiscoveries }) => falseDiscoveries)),
    discoveries: meanOf(commands.map(({ discoveries }) => discoveries)),
    falseEqualities: meanOf(commands.map(({ falseEqualities }) => falseEqualities)),
    runs: meanOf(commands.map(({ runs }) => runs)),
  }));
}

type CommandResult = { readonly [Key in Exclude<keyof FamilyResult, 'rule'>]: number };

const familyRules: readonly FamilyRule[] = [
  { name: 'auto', judge: judgeAdaptively },
  { name: 'fixed 30', judge: (measured) => judgeByTest(measured, (ps) => ps) },
  { name: 'fixed 30, corrected', judge: (measured) => judgeByTest(measured, adjustForNumber) },
];

function judgeAdaptively(measured: readonly Pairs[]): readonly Outcome[] {
  const family = new SequentialFamily({}, measured.length);
  for (let round = 0; round < DEFAULT_MAX_RUNS; round++) {
    for (const [index, pairs] of measured.entries()) {
      if (!family.isOpen(`${index}`)) continue;
      family.add(`${index}`, pairs.old[round] ?? Number.NaN, pairs.new[round] ?? Number.NaN);
    }
    family.judge();
  }
  return measured.map((_, index) => family.judgement(`${index}`));
}

function judgeByTest(
  measured: readonly Pairs[],
  adjust: (ps: readonly (number | null)[]) => readonly (number | null)[],
): readonly Outcome[] {
  const judgements = measured.map(
    (pairs) =>
      judgeFixed({ old: pairs.old.subarray(0, FIXED_RUNS), new: pairs.new.subarray(0, FIXED_RUNS) })
        .judgement,
  );
  const ps = adjust(judgements.map(({ p }) => p));
  return judgements.map(({ verdict }, index) => {
    const isDropped = verdict !== 'same' && (ps[index] ?? 1) > DEFAULT_ERROR_RATE;
    return { verdict: isDropped ? 'undecided' : verdict, runs: FIXED_RUNS };
  });
}

function truthOf(random: Random, changed: number): Truth {
  const deviation = between(random, 0.005, 0.04);
  if (random.uniform() >= changed) return { effect: 0, deviation };
  const effect = between(random, 0.01, 0.1);
  return { effect: random.uniform() < 0.5 ? effect : 1 / (1 + effect) - 1, deviation };
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

function resultOf(truths: readonly Truth[], outcomes: readonly Outcome[]): CommandResult {
  let found = 0;
  let right = 0;
  let equal = 0;
  let different = 0;
  let runs = 0;
  for (const [index, outcome] of outcomes.entries()) {
    const effect = truths[index]?.effect ?? 0;
    runs += outcome.runs;
    if (outcome.verdict === 'same') {
      equal++;
      if (Math.abs(Math.log1p(effect)) >= Math.log1p(DEFAULT_MARGIN)) different++;
    } else if (outcome.verdict !== 'undecided') {
      found++;
      if (outcome.verdict === 'higher' ? effect > 0 : effect < 0) right++;
    }
  }
  return {
    falseDiscoveries: found === 0 ? 0 : (found - right) / found,
    discoveries: right,
    falseEqualities: equal === 0 ? 0 : different / equal,
    runs: runs / outcomes.length,
  };
}
