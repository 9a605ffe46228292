import { DEFAULT_MAX_RUNS } from '../src/sequential/sequential-family.ts';
import { SequentialPrecision } from '../src/sequential/sequential-precision.ts';
import { type Estimate, meanOf, shareOf } from './estimate.ts';
import { deviationsOf } from './grid.ts';
import type { Noise } from './noise.ts';
import type { Random } from './random.ts';

/** The results for rates of one subject, which `run --runs auto` measures to within the margin. */
export interface PrecisionResult {
  readonly deviation: number;
  /** The share of intervals that miss the true rate. */
  readonly missed: Estimate;
  readonly runs: Estimate;
}

/** Measures a rate many times with each amount of a noise. */
export function simulatePrecision(noise: Noise, rates: number, random: Random): readonly PrecisionResult[] {
  return deviationsOf(noise).map((deviation) => {
    let missed = 0;
    const runs: number[] = [];
    for (let rate = 0; rate < rates; rate++) {
      const precision = new SequentialPrecision();
      for (const log of noise.draw(random, DEFAULT_MAX_RUNS, deviation).old) {
        if (!precision.isOpen(key)) break;
        precision.add(key, Math.exp(log));
        precision.judge();
      }
      const { mean, runs: taken } = precision.judgement(key);
      if (mean === null || mean.low > 1 || mean.high < 1) missed++;
      runs.push(taken);
    }
    return { deviation, missed: shareOf(missed, rates), runs: meanOf(runs) };
  });
}

const key = '';
