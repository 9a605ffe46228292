import { DEFAULT_MARGIN } from '../src/fixed-evidence.ts';
import { ERROR_RATE } from '../src/judgement.ts';
import { supportedPairP } from '../src/rank-evidence.ts';
import { boundaryFor, FIRST_LOOK } from '../src/sequential/boundary.ts';
import { estimatePairs, pairP } from '../src/sequential/pair-estimate.ts';
import { DEFAULT_MAX_RUNS, SequentialFamily } from '../src/sequential/sequential-family.ts';
import { type RateWord, rateWords } from '../src/verdict-word.ts';
import { measurePairs, normalNoise, type Truth } from './noise.ts';
import type { Random } from './random.ts';

/** The figures of the pictures about adaptive runs in docs/, which packages/report/simulation/verdict-pictures.ts draws. */
export interface PictureData {
  readonly maxRuns: number;
  readonly errorRate: number;
  readonly margin: number;
  /** The p-value that is needed after a number of runs. */
  readonly boundary: readonly { readonly runs: number; readonly p: number }[];
  readonly examples: readonly Example[];
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

export function pictureData(examples: readonly Example[]): PictureData {
  const boundary = boundaryFor(DEFAULT_MAX_RUNS);
  return {
    maxRuns: DEFAULT_MAX_RUNS,
    errorRate: ERROR_RATE,
    margin: DEFAULT_MARGIN,
    boundary: Array.from({ length: DEFAULT_MAX_RUNS - FIRST_LOOK + 1 }, (_, index) => {
      const runs = FIRST_LOOK + index;
      return { runs, p: boundary.nominalP(ERROR_RATE, runs) };
    }),
    examples,
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
    const { ratio: interval } = family.judgement('');
    const runs = run + 1;
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
