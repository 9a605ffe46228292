import type { Comparison, ComparisonList } from '../src/comparison.ts';
import { applyGates, boundOf, parseGate } from '../src/gate.ts';
import { ERROR_RATE } from '../src/judgement.ts';
import { methodOf } from '../src/method.ts';
import { judgeAdaptively, judgeAllRuns, judgeFixedRuns, measureCases } from './command.ts';
import { type Estimate, shareOf } from './estimate.ts';
import { type Noise, normalNoise } from './noise.ts';
import { between, type Random } from './random.ts';

/** Commands whose cases are all exactly at the threshold of a gate. Each command that crosses it is a false alarm. */
export interface GateSetting {
  readonly method: ComparisonList['kind'];
  readonly noise: Noise;
  readonly cases: number;
}

/** The share of commands that cross the gate. */
export interface GateResult extends GateSetting {
  readonly crossed: Estimate;
  /** The same if each case is tested on its own. */
  readonly uncorrected: Estimate;
}

/** Runs of each subject. */
const RUNS = 10;

const gate = parseGate('slower>=5%');
const { limit } = boundOf(gate);

export function simulateGates(setting: GateSetting, commands: number, random: Random): GateResult {
  let crossed = 0;
  let uncorrected = 0;
  for (let command = 0; command < commands; command++) {
    const list = measuredList(setting, random);
    if (applyGates(list, [gate]).crossed.length > 0) crossed++;
    const pOf = (comparison: Comparison) => methodOf(list).pBeyond(comparison, limit) ?? 1;
    if (list.comparisons.some((each) => pOf(each) < ERROR_RATE)) uncorrected++;
  }
  return {
    ...setting,
    crossed: shareOf(crossed, commands),
    uncorrected: shareOf(uncorrected, commands),
  };
}

function measuredList({ method, noise, cases }: GateSetting, random: Random): ComparisonList {
  const truthOf = () => ({ effect: limit - 1, deviation: between(random, 0.01, 0.1) });
  const measured = measureCases(noise, Array.from({ length: cases }, truthOf), random);
  return method === 'fixed' ? judgeFixedRuns(measured, RUNS) : judgeAllRuns(measured);
}

/** A command of 20 cases, of which one is slower by 8 %, with a gate at 5 %; runs vary by 2 %. */
const powerTruths = Array.from({ length: 20 }, (_, at) => ({
  effect: at === 0 ? -0.08 : 0,
  deviation: 0.02,
}));

/** `auto` stops without the gate, `auto with the gate` as `compare --runs auto --fail-on` does. */
export type GateRuns = number | 'auto' | 'auto with the gate';

/** The share of commands that cross the gate, as they should. */
export function simulateGatePower(runs: GateRuns, commands: number, random: Random): Estimate {
  let crossed = 0;
  for (let command = 0; command < commands; command++) {
    const cases = measureCases(normalNoise, powerTruths, random);
    const list =
      typeof runs === 'number'
        ? judgeFixedRuns(cases, runs)
        : judgeAdaptively(cases, runs === 'auto' ? [] : [limit]);
    if (applyGates(list, [gate]).crossed.length > 0) crossed++;
  }
  return shareOf(crossed, commands);
}
