import { type ComparedRun, caseOfText, joinMachines, type SamplePair, samplePairs } from '@bench-cli/results';
import { type ComparisonList, compareFixed, compareSequentially } from '../src/comparison.ts';
import { applyGates, parseGate, pBeyond } from '../src/gate.ts';
import type { Judgement } from '../src/judgement.ts';
import { DEFAULT_MAX_RUNS } from '../src/sequential/sequential-family.ts';
import { type Estimate, shareOf } from './estimate.ts';
import { measurePairs, type Noise, type Pairs } from './noise.ts';
import type { Random } from './random.ts';

/** Commands whose cases are all exactly at the threshold of a gate. Each command that crosses it is a false alarm. */
export interface GateSetting {
  readonly method: Judgement['method'];
  readonly correction: ComparisonList['correction'];
  readonly noise: Noise;
  readonly cases: number;
}

/** The share of commands that cross the gate. */
export interface GateResult extends GateSetting {
  readonly crossed: Estimate;
  /** The same if each case is tested on its own. */
  readonly uncorrected: Estimate;
}

/** Runs of each subject, on each of two machines for a stratified comparison. */
const RUNS = 10;

const gate = parseGate('slower>=5%');
const effect = gate.limit - 1;

export function simulateGates(setting: GateSetting, commands: number, random: Random): GateResult {
  let crossed = 0;
  let uncorrected = 0;
  for (let command = 0; command < commands; command++) {
    const list = measuredList(setting, random);
    if (applyGates(list, [gate]).crossed.length > 0) crossed++;
    if (pBeyond(list, gate.limit).some((p) => (p ?? 1) < list.errorRate)) uncorrected++;
  }
  return {
    ...setting,
    crossed: shareOf(crossed, commands),
    uncorrected: shareOf(uncorrected, commands),
  };
}

function measuredList(setting: GateSetting, random: Random): ComparisonList {
  const { method, correction } = setting;
  switch (method) {
    case 'fixed':
      return compareFixed(pairsOfMachine(setting, random, 1), {}, correction);
    case 'stratified':
      return compareFixed(
        joinMachines([1, 3].map((speed) => pairsOfMachine(setting, random, speed))),
        {},
        correction,
      );
    case 'sequential': {
      const runs = adaptiveRuns(setting, random);
      const subjects = ['old', 'new'];
      const session = { runs, subjects, options: {}, cases: setting.cases };
      return compareSequentially(session, samplePairs(runs, subjects), correction);
    }
  }
}

function pairsOfMachine(setting: GateSetting, random: Random, speed: number): readonly SamplePair[] {
  return measuredCases(setting, random, RUNS).map((pairs, at) => ({
    ...caseOfText('a', `at=${at}`),
    baseline: 'old',
    subject: 'new',
    old: pairs.old.map((rate) => speed * rate),
    new: pairs.new.map((rate) => speed * rate),
  }));
}

/** Adaptive runs that go on after each verdict, as if one process measured all cases: the most looks that there can be. */
function adaptiveRuns(setting: GateSetting, random: Random): readonly ComparedRun[] {
  return measuredCases(setting, random, DEFAULT_MAX_RUNS).flatMap((pairs, at) => {
    const { benchmark, configuration } = caseOfText('a', `at=${at}`);
    return Array.from(pairs.old, (rate, round): ComparedRun[] => [
      { benchmark, configuration, round, subject: 'old', rate },
      { benchmark, configuration, round, subject: 'new', rate: pairs.new[round] ?? Number.NaN },
    ]).flat();
  });
}

/** The runs of each case vary by 1 to 10 %. */
function measuredCases({ noise, cases }: GateSetting, random: Random, runs: number): readonly Pairs[] {
  return Array.from({ length: cases }, () =>
    measurePairs(noise, { effect, deviation: 0.01 + 0.09 * random.uniform() }, random, runs),
  );
}
