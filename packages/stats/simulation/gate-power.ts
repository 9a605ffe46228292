import { type ComparedRun, caseKey, caseOfText, samplePairs } from '@bench-cli/results';
import { type ComparisonList, compareFixed, compareSequentially } from '../src/comparison.ts';
import { applyGates, parseGate } from '../src/gate.ts';
import { DEFAULT_MAX_RUNS, SequentialFamily } from '../src/sequential/sequential-family.ts';
import { type Estimate, shareOf } from './estimate.ts';
import { measurePairs, normalNoise, type Pairs } from './noise.ts';
import type { Random } from './random.ts';

/** A command of 20 cases, of which one is slower by 8 %, with a gate at 5 %; runs vary by 2 %. */
const CASES = 20;
const EFFECT = -0.08;
const DEVIATION = 0.02;
const gate = parseGate('slower>=5%');

/** `auto` stops without the gate, `auto with the gate` as `compare --runs auto --fail-on` does. */
export type GateRuns = number | 'auto' | 'auto with the gate';

/** The share of commands that cross the gate, as they should. */
export function simulateGatePower(runs: GateRuns, commands: number, random: Random): Estimate {
  let crossed = 0;
  for (let command = 0; command < commands; command++) {
    if (applyGates(measuredList(runs, random), [gate]).crossed.length > 0) crossed++;
  }
  return shareOf(crossed, commands);
}

function measuredList(runs: GateRuns, random: Random): ComparisonList {
  const count = typeof runs === 'number' ? runs : DEFAULT_MAX_RUNS;
  const cases = Array.from({ length: CASES }, (_, at) => ({
    ...caseOfText('a', `at=${at}`),
    baseline: 'old',
    subject: 'new',
    ...measurePairs(normalNoise, { effect: at === 0 ? EFFECT : 0, deviation: DEVIATION }, random, count),
  }));
  if (typeof runs === 'number') return compareFixed(cases);
  const measured = adaptiveRuns(cases, runs === 'auto' ? [] : [gate.limit]);
  const subjects = ['old', 'new'];
  return compareSequentially(
    { runs: measured, subjects, options: {}, cases: CASES },
    samplePairs(measured, subjects),
  );
}

/** The runs of each case until it is closed. */
function adaptiveRuns(
  cases: readonly (Pairs & Pick<ComparedRun, 'benchmark' | 'configuration'>)[],
  limits: readonly number[],
): readonly ComparedRun[] {
  const family = new SequentialFamily({ limits }, cases.length);
  const runs: ComparedRun[] = [];
  for (let round = 0; round < DEFAULT_MAX_RUNS; round++) {
    for (const { benchmark, configuration, ...pairs } of cases) {
      const key = caseKey({ benchmark, configuration });
      const [old, new_] = [pairs.old[round], pairs.new[round]];
      if (!family.isOpen(key) || old === undefined || new_ === undefined) continue;
      family.add(key, old, new_);
      const run = { benchmark, configuration, round };
      runs.push({ ...run, subject: 'old', rate: old }, { ...run, subject: 'new', rate: new_ });
    }
    family.judge();
  }
  return runs;
}
