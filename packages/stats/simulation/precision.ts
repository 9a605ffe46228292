import { DEFAULT_MAX_RUNS, SequentialPrecision } from '@bench-cli/stats';
import { type Estimate, meanOf, shareOf } from './estimate.ts';
import { usualDeviations } from './grid.ts';
import type { Noise } from './noise.ts';
import type { Random } from './random.ts';

/** What became of the rates of one subject, which `run --runs auto` measures until they are known well enough. */
export interface PrecisionResult {
  readonly deviation: number;
  /** The share of intervals that the true rate is not in. */
  readonly missed: Estimate;
  readonly runs: Estimate;
}

/** Measures a rate many times, under every amount of a noise. */
export function simulatePrecision(noise: Noise, rates: number, random: Random): readonly PrecisionResult[] {
  return usualDeviations.map((deviation) => {
    let missed = 0;
    const runs: number[] = [];
    for (let rate = 0; rate < rates; rate++) {
      const precision = new SequentialPrecision();
      for (const disturbance of noise.draw(random, DEFAULT_MAX_RUNS).old) {
        if (!precision.isOpen(key)) break;
        precision.add(key, Math.exp(deviation * disturbance));
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
