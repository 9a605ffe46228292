import { DEFAULT_MARGIN } from '../src/fixed-judgement.ts';
import { ERROR_RATE } from '../src/judgement.ts';
import { supportedPairP } from '../src/rank-evidence.ts';
import { boundaryFor, FIRST_LOOK } from '../src/sequential/boundary.ts';
import { estimatePairs, pairP } from '../src/sequential/pair-estimate.ts';
import { DEFAULT_MAX_RUNS, SequentialFamily } from '../src/sequential/sequential-family.ts';
import { type RateWord, rateWords } from '../src/verdict-word.ts';
import { FIXED_RUNS } from './command.ts';
import type { CellResult } from './grid.ts';
import { measurePairs, normalNoise, type Truth } from './noise.ts';
import type { Random } from './random.ts';
import type { Rule } from './rules.ts';

/** The figures of the pictures about adaptive runs in docs/, which packages/report/simulation/verdict-pictures.ts draws. */
export interface PictureData {
  readonly maxRuns: number;
  readonly fixedRuns: number;
  readonly errorRate: number;
  readonly margin: number;
  /** The p-value that is needed after a number of runs. */
  readonly boundary: readonly { readonly runs: number; readonly p: number }[];
  readonly examples: readonly Example[];
  /** Mean runs of each cell of `--runs auto`. */
  readonly runs: readonly {
    readonly shape: string;
    readonly effect: number;
    readonly deviation: number;
    readonly runs: number;
  }[];
  /** The share of comparisons without a difference that each rule calls faster or slower. */
  readonly falseVerdicts: readonly {
    readonly shape: string;
    readonly rule: string;
    readonly found: number;
  }[];
}

/** A case on its way to a verdict. */
export interface Example extends Truth {
  readonly verdict: RateWord;
  readonly looks: readonly ExampleLook[];
}

/** The figures of an example after a number of pairs of runs. */
export interface ExampleLook {
  readonly runs: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly nominalP: number;
}

export function pictureData(
  { adaptive, rules }: { readonly adaptive: Rule; readonly rules: readonly Rule[] },
  results: readonly CellResult[],
  examples: readonly Example[],
): PictureData {
  const boundary = boundaryFor(DEFAULT_MAX_RUNS);
  return {
    maxRuns: DEFAULT_MAX_RUNS,
    fixedRuns: FIXED_RUNS,
    errorRate: ERROR_RATE,
    margin: DEFAULT_MARGIN,
    boundary: Array.from({ length: DEFAULT_MAX_RUNS - FIRST_LOOK + 1 }, (_, index) => {
      const runs = FIRST_LOOK + index;
      return { runs, p: boundary.nominalP(ERROR_RATE, runs) };
    }),
    examples,
    runs: results.flatMap(({ cell: { noise, effect, deviation }, tallies }) => {
      const runs = tallies.get(adaptive)?.runs.value;
      return runs === undefined || noise.deviation !== undefined
        ? []
        : [{ shape: noise.name, effect, deviation, runs }];
    }),
    falseVerdicts: results
      .filter(({ cell }) => cell.effect === 0)
      .flatMap(({ cell, comparisons, tallies }) =>
        rules.flatMap((rule) => {
          const verdicts = tallies.get(rule)?.verdicts;
          if (verdicts === undefined) return [];
          const found = (verdicts.higher + verdicts.lower) / comparisons;
          return [{ shape: cell.noise.name, rule: rule.name, found }];
        }),
      ),
  };
}

/** Measures cases until one has the verdict that most cases of its kind have. */
export function typicalExample(truth: Truth, verdict: RateWord, random: Random): Example {
  for (;;) {
    const example = exampleOf(truth, random);
    if (example.verdict === verdict) return example;
  }
}

function exampleOf(truth: Truth, random: Random): Example {
  const { old, new: new_ } = measurePairs(normalNoise, truth, random, DEFAULT_MAX_RUNS);
  const family = new SequentialFamily();
  const looks: ExampleLook[] = [];
  for (let run = 0; run < DEFAULT_MAX_RUNS && family.isOpen(''); run++) {
    family.add('', old[run] ?? Number.NaN, new_[run] ?? Number.NaN);
    family.judge();
    const { runs, ratio: interval } = family.judgement('');
    const pairs = { old: [...old.subarray(0, runs)], new: [...new_.subarray(0, runs)] };
    const estimate = estimatePairs(pairs);
    if (interval === null || estimate === null) continue;
    const { ratio, low, high } = interval;
    looks.push({
      runs,
      ratio,
      low,
      high,
      nominalP: supportedPairP(pairP(estimate), pairs),
    });
  }
  return { ...truth, looks, verdict: rateWords[family.judgement('').verdict] };
}
