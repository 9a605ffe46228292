import type { ComparisonList } from '../src/comparison.ts';
import { applyGates, parseGate } from '../src/gate.ts';
import { FIXED_RUNS, judgeAdaptively, judgeFixedRuns, type MeasuredCase, measureCases } from './command.ts';
import { type Estimate, meanOf } from './estimate.ts';
import type { Noise, Truth } from './noise.ts';
import { between, type Random } from './random.ts';

/** Commands that compare so many cases, all with one kind of noise. */
export interface Family {
  readonly noise: Noise;
  readonly cases: number;
  /** The share of the cases that differ, by 2 to 10 % in either direction. */
  readonly changed: number;
}

/** The results of many commands under one rule. */
export interface FamilyResult extends Family {
  readonly rule: string;
  readonly commands: number;
  readonly figures: Readonly<Record<keyof CommandFigures, Estimate>>;
}

/** The figures of one command. Those that do not exist are NaN and do not count. */
interface CommandFigures {
  /** The share of the cases called faster or slower that are not. Without a difference, 1 if there is any. */
  readonly falseDiscoveries: number;
  /** The share of the cases that differ, all by the margin or more, that are called "no difference". */
  readonly falseEqualities: number;
  /** The share of the intervals that miss the true ratio. */
  readonly missed: number;
  /** The share of the bounds of differences (`leastChange`) beyond the true difference. */
  readonly wrongBounds: number;
  /** How much larger the estimates of the differences that were found are than the true ones, and so for their bounds. */
  readonly bias: number;
  readonly biasOfBounds: number;
  /** The share of the cases that differ that are found. */
  readonly power: number;
  /** Runs of each case and subject. */
  readonly runs: number;
  /** The share of the comparisons for which the gate `slower` disagrees with the verdict. */
  readonly disagreeing: number;
}

type Judge = (cases: readonly MeasuredCase[]) => ComparisonList;

/** The rules, by name. */
const rules: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['auto', (cases) => judgeAdaptively(cases)],
  ['fixed 30', (cases) => judgeFixedRuns(cases, FIXED_RUNS)],
  ['fixed 8', (cases) => judgeFixedRuns(cases, 8)],
]);

/** Judges the cases of many commands by all rules, on the same runs. */
export function simulateFamily(family: Family, commands: number, random: Random): readonly FamilyResult[] {
  const results = new Map(Array.from(rules.keys(), (rule) => [rule, [] as CommandFigures[]]));
  for (let command = 0; command < commands; command++) {
    const truths = Array.from({ length: family.cases }, () => truthOf(random, family.changed));
    const cases = measureCases(family.noise, truths, random);
    const effects = new Map(cases.map(({ of }, at) => [of.key, truths[at]?.effect ?? 0]));
    for (const [rule, judge] of rules) results.get(rule)?.push(figuresOf(judge(cases), effects));
  }
  return Array.from(results, ([rule, list]) => {
    const mean = (figure: keyof CommandFigures) =>
      meanOf(list.map((figures) => figures[figure]).filter((value) => !Number.isNaN(value)));
    const figures = {
      falseDiscoveries: mean('falseDiscoveries'),
      falseEqualities: mean('falseEqualities'),
      missed: mean('missed'),
      wrongBounds: mean('wrongBounds'),
      bias: mean('bias'),
      biasOfBounds: mean('biasOfBounds'),
      power: mean('power'),
      runs: mean('runs'),
      disagreeing: mean('disagreeing'),
    };
    return { ...family, rule, commands, figures };
  });
}

function truthOf(random: Random, changed: number): Truth {
  const deviation = between(random, 0.005, 0.04);
  if (random.uniform() >= changed) return { effect: 0, deviation };
  const effect = between(random, 0.02, 0.1);
  return { effect: random.uniform() < 0.5 ? effect : 1 / (1 + effect) - 1, deviation };
}

const slower = parseGate('slower');

/** A bound of runs that hardly vary may miss the truth by a rounding error. */
const ROUNDING = 1e-12;

function figuresOf(list: ComparisonList, effects: ReadonlyMap<string, number>): CommandFigures {
  const { comparisons } = list;
  const judged = comparisons.map(({ key, verdict, ratio, leastChange }) => {
    const effect = effects.get(key) ?? 0;
    const sign = verdict === 'higher' ? 1 : verdict === 'lower' ? -1 : 0;
    return {
      ...{ verdict, isDifferent: effect !== 0, isFound: sign !== 0, isRight: sign * effect > 0 },
      isMissed: ratio !== null && (ratio.low > 1 + effect || ratio.high < 1 + effect),
      excess: sign * ((ratio?.ratio ?? 1) - 1 - effect),
      excessOfBound: sign * ((leastChange ?? 0) - effect),
    };
  });
  const found = judged.filter(({ isFound }) => isFound);
  const different = judged.filter(({ isDifferent }) => isDifferent);
  const crossed = new Set(applyGates(list, [slower]).crossed.map(({ comparison }) => comparison));
  return {
    falseDiscoveries: meanOver(found, ({ isRight }) => (isRight ? 0 : 1)) || 0,
    falseEqualities: meanOver(different, ({ verdict }) => (verdict === 'same' ? 1 : 0)),
    missed: meanOver(judged, ({ isMissed }) => (isMissed ? 1 : 0)),
    wrongBounds: meanOver(found, ({ excessOfBound }) => (excessOfBound > ROUNDING ? 1 : 0)) || 0,
    bias: meanOver(found, ({ excess }) => excess),
    biasOfBounds: meanOver(found, ({ excessOfBound }) => excessOfBound),
    power: meanOver(different, ({ isRight }) => (isRight ? 1 : 0)),
    runs: meanOver(comparisons, ({ new: sample }) => sample?.n ?? 0),
    disagreeing: meanOver(comparisons, (it) => (crossed.has(it) === (it.verdict === 'lower') ? 0 : 1)),
  };
}

/** NaN without an item. */
function meanOver<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + figure(item), 0) / items.length;
}
