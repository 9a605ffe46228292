import { argumentsOf, type ParameterValue, type Sample } from '@bench-cli/results';
import { type SampleSummary, summarizeSample } from './sample.ts';
import { type SquaredError, satterthwaite, sumOfErrors } from './satterthwaite.ts';
import { criticalT } from './student-t.ts';

/** The values of a parameter by their rates. */
export interface Ranking {
  readonly fastest: ParameterValue;
  /** In the order of their rates, the highest first. */
  readonly others: readonly RankedValue[];
}

export interface RankedValue {
  readonly value: ParameterValue;
  /** How many times as fast the fastest value is: the geometric mean over all combinations of the other parameters. */
  readonly ratio: number;
  /** Simultaneous for all pairs of values, with 95 % together. The values differ if it excludes 1. */
  readonly interval: { readonly low: number; readonly high: number };
}

/** Fewer runs do not tell how much the rates vary. */
const FEWEST_RUNS = 3;

/** The risk of all intervals together. */
const RISK = 0.05;

/**
 * Ranks the values of a parameter by the rates of cases that differ only in it. Only for a fixed number of runs.
 *
 * Method: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method); degrees of freedom by Welch and
 * Satterthwaite; Bonferroni's correction for all pairs of values, so that it does not matter which one turns out to be fastest.
 *
 * @returns null if there are fewer than two values, a case has too few runs or a rate of 0, or a combination lacks a value
 */
export function rankValues(samples: readonly Sample[], parameter: string): Ranking | null {
  const byValue = Map.groupBy(samples, ({ configuration }) => configuration[parameter]);
  const combinations = new Set(samples.map((sample) => combinationOf(sample, parameter)));
  const ranked: { value: ParameterValue; log: LogMean }[] = [];
  for (const [value, ofValue] of byValue) {
    const summaries = ofValue.map(({ rates }) => summarizeSample(rates));
    if (value === undefined || ofValue.length !== combinations.size) return null;
    if (summaries.some(({ n, mean }) => n < FEWEST_RUNS || mean === 0)) return null;
    ranked.push({ value, log: logMean(summaries) });
  }
  const [first, ...others] = ranked.sort((a, b) => b.log.value - a.log.value);
  if (first === undefined || others.length === 0) return null;
  const pairs = (ranked.length * (ranked.length - 1)) / 2;
  return {
    fastest: first.value,
    others: others.map(({ value, log }) => ({ value, ...ratioOf(first.log, log, RISK / pairs) })),
  };
}

function combinationOf({ benchmark, configuration }: Sample, parameter: string): string {
  const { [parameter]: _, ...others } = configuration;
  return JSON.stringify([benchmark, argumentsOf(others)]);
}

/** The mean of the logarithms of the means of several samples. */
interface LogMean {
  readonly value: number;
  readonly errors: readonly SquaredError[];
}

function logMean(summaries: readonly SampleSummary[]): LogMean {
  const count = summaries.length;
  return {
    value: summaries.reduce((sum, { mean }) => sum + Math.log(mean), 0) / count,
    errors: summaries.map(({ n, mean, variance }) => ({
      value: (variance ?? 0) / n / mean ** 2 / count ** 2,
      df: n - 1,
    })),
  };
}

function ratioOf(fastest: LogMean, other: LogMean, risk: number): Pick<RankedValue, 'ratio' | 'interval'> {
  const log = fastest.value - other.value;
  const errors = [...fastest.errors, ...other.errors];
  const total = sumOfErrors(errors);
  const half = total === 0 ? 0 : criticalT(risk, satterthwaite(errors)) * Math.sqrt(total);
  return { ratio: Math.exp(log), interval: { low: Math.exp(log - half), high: Math.exp(log + half) } };
}
