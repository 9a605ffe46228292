import { UsageError } from '@bench-cli/results';
import { adjustForDiscoveries } from '../false-discovery.ts';
import type { SequentialJudgement } from '../judgement.ts';
import { DEFAULT_MARGIN } from '../tested.ts';
import { FIRST_LOOK, SequentialBoundary } from './boundary.ts';
import { SequentialComparison, type SequentialSettings } from './sequential-comparison.ts';

export interface SequentialOptions {
  /** The most runs of each configuration under each subject; default 36. */
  readonly maxRuns?: number | undefined;
  /** The smallest difference that matters, a fraction; default 0.02. */
  readonly margin?: number | undefined;
  /** The share of false verdicts that is accepted; default 0.05. */
  readonly errorRate?: number | undefined;
}

export const DEFAULT_MAX_RUNS = 36;
export const DEFAULT_ERROR_RATE = 0.05;

/**
 * All configurations of a command, judged together while their runs come in.
 *
 * Each round adds a pair of runs to every configuration that is still open, and `judge` then decides which of them need
 * no more. The promise, for an error rate of 5 %: of the configurations that are called faster or slower no more than 5 %
 * are expected to be neither, whatever the number of configurations and of looks; and one whose subjects do differ by the
 * margin or more is called "no difference" with a chance of at most 5 %.
 *
 * Method: group-sequential tests of log ratios (`SequentialBoundary`), whose p-values hold at any time, so that Benjamini
 * and Hochberg's correction of them holds too, whenever each of them stopped; repeated confidence intervals within the
 * margin for equivalence; conditional power for futility. A configuration that is found different stays so, because more
 * discoveries only make room for more.
 * Source: C. Jennison and B. W. Turnbull, "Interim analyses: the repeated confidence interval approach", J. R. Stat. Soc.
 * B 51 (1989); Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Stat. Soc. B 57 (1995);
 * S. Zehetmayer, P. Bauer and M. Posch, "Optimized multi-stage designs controlling the false discovery or the family-wise
 * error rate", Statistics in Medicine 27 (2008).
 */
export class SequentialFamily {
  readonly #settings: SequentialSettings;
  readonly #size: number;
  readonly #members = new Map<string, SequentialComparison>();
  #adjusted: ReadonlyMap<string, number> = new Map();

  /**
   * @param size how many configurations the command compares; those of which nothing is known yet count, too. Default:
   *   those that have runs.
   * @throws UsageError for a margin or an error rate that is no fraction, or too few runs
   */
  constructor(options: SequentialOptions = {}, size = 0) {
    const { margin, errorRate, maxRuns } = checkSequentialOptions(options);
    this.#settings = { boundary: SequentialBoundary.for(maxRuns), margin: Math.log1p(margin), errorRate };
    this.#size = size;
  }

  /** Adds one pair of runs to a configuration: rates in operations per second. */
  add(key: string, oldRate: number, newRate: number): void {
    let member = this.#members.get(key);
    if (member === undefined) {
      member = new SequentialComparison(this.#settings);
      this.#members.set(key, member);
    }
    member.add(oldRate, newRate);
  }

  /** Judges all configurations by the runs that they have. Call it after each round. */
  judge(): void {
    for (const member of this.#members.values()) member.look();
    this.#adjust();
    for (const [key, member] of this.#members) {
      member.decide(this.#adjustedP(key) <= this.#settings.errorRate);
    }
    // What was found equivalent just now is no discovery any more.
    this.#adjust();
  }

  /** Whether a configuration needs more runs; true of one that has none. */
  isOpen(key: string): boolean {
    return (this.#members.get(key)?.stopped ?? null) === null;
  }

  /** What the last `judge` came to. */
  judgement(key: string): SequentialJudgement {
    return this.#members.get(key)?.judgement(this.#adjustedP(key)) ?? unknown;
  }

  #adjust(): void {
    const members = [...this.#members];
    const ps = members.map(([, member]) => member.p);
    const unknown = Math.max(0, this.#size - members.length);
    const adjusted = adjustForDiscoveries([...ps, ...Array.from({ length: unknown }, () => 1)]);
    this.#adjusted = new Map(members.map(([key], index) => [key, adjusted[index] ?? 1]));
  }

  #adjustedP(key: string): number {
    return this.#adjusted.get(key) ?? 1;
  }
}

const unknown: SequentialJudgement = {
  method: 'sequential',
  verdict: 'undecided',
  improvement: null,
  stopped: null,
  runs: 0,
  ratio: null,
  p: 1,
  adjustedP: 1,
};

/** @throws UsageError that says which option is wrong */
export function checkSequentialOptions({
  maxRuns = DEFAULT_MAX_RUNS,
  margin = DEFAULT_MARGIN,
  errorRate = DEFAULT_ERROR_RATE,
}: SequentialOptions): Required<{ [Key in keyof SequentialOptions]: number }> {
  if (!Number.isInteger(maxRuns) || maxRuns < FIRST_LOOK) {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `at most ${maxRuns} runs are too few to stop by what they show: allow ${FIRST_LOOK} or more`,
    );
  }
  if (!(margin > 0 && margin < 1)) {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `the margin must be a fraction between 0 and 1, such as 0.02, not ${margin}`,
    );
  }
  if (!(errorRate > 0 && errorRate < 0.5)) {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `the error rate must be between 0 and 0.5, such as 0.05, not ${errorRate}`,
    );
  }
  return { maxRuns, margin, errorRate };
}
