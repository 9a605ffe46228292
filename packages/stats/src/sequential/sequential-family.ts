import { UsageError } from '@bench-cli/results';
import type { AdaptiveRuns } from '@bench-cli/results/recording';
import { settings } from '@bench-cli/results/settings';
import { adjustForNumber } from '../correction.ts';
import { checkMargin, DEFAULT_MARGIN } from '../fixed-evidence.ts';
import { ERROR_RATE, type Judgement } from '../judgement.ts';
import { isBeyond } from '../ratio.ts';
import { boundaryFor, FIRST_LOOK, type SequentialBoundary } from './boundary.ts';
import type { Forecast } from './forecast.ts';
import { SequentialComparison, type SequentialSettings, sequentialP } from './sequential-comparison.ts';

/** The rule of an adaptive session without its time limit. Defaults: 36 runs and a margin of 0.02. */
export type SequentialOptions = {
  readonly [Name in Exclude<keyof AdaptiveRuns, 'budgetMs'>]?: AdaptiveRuns[Name] | undefined;
};

export const DEFAULT_MAX_RUNS: number = settings.maxRuns.default;

/**
 * All cases of a command, judged together while their runs come in.
 *
 * Each round adds a pair of runs to each open case. `judge` then decides which cases need no more runs.
 * Guarantees, for any number of cases and looks: at most 5 % of the cases with the verdict faster or slower
 * are expected to be wrong. A case whose subjects differ by the margin or more has the verdict "no
 * difference" with a probability of at most 5 %.
 * Method: group-sequential tests of log ratios (`SequentialBoundary`). Their p-values are valid at any time.
 * Benjamini and Hochberg's correction of them is valid, too, although cases stop at different runs.
 * Equivalence: repeated confidence intervals within the margin. Futility: conditional power. A difference
 * stays a difference, because further discoveries only raise the limit for all.
 * Source: C. Jennison and B. W. Turnbull, "Interim analyses: the repeated confidence interval approach", J.
 * R. Stat. Soc. B 51 (1989); Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R.
 * Stat. Soc. B 57 (1995); S. Zehetmayer, P. Bauer and M. Posch, "Optimized multi-stage designs controlling
 * the false discovery or the family-wise error rate", Statistics in Medicine 27 (2008).
 */
export class SequentialFamily {
  readonly #settings: SequentialSettings;
  readonly #planned: number;
  readonly #members = new Map<string, SequentialComparison>();
  readonly #limits: readonly number[];
  #adjusted: ReadonlyMap<string, number> = new Map();
  /** Cases whose difference exceeds a limit, but not significantly; computed on first use. */
  #uncertain: ReadonlySet<string> | undefined;

  /**
   * @param size the number of cases that the command compares, including cases without runs; default: the
   * cases with runs
   * @throws UsageError for an invalid margin or number of runs
   */
  constructor(options: SequentialOptions = {}, size = 0) {
    const { margin, maxRuns } = checkSequentialOptions(options);
    const boundary = boundaryFor(maxRuns, options.extendedFrom);
    this.#settings = { boundary, margin: Math.log1p(margin) };
    this.#planned = size;
    this.#limits = options.limits ?? [];
  }

  add(key: string, oldRate: number, newRate: number): void {
    const member = this.#members.get(key) ?? new SequentialComparison(this.#settings);
    this.#members.set(key, member);
    member.add(oldRate, newRate);
  }

  /** Judges all cases by their runs so far. Call it after each round. */
  judge(): void {
    for (const member of this.#members.values()) member.look();
    this.#adjusted = this.#adjustedPs();
    for (const [key, member] of this.#members) member.decide((this.#adjusted.get(key) ?? 1) <= ERROR_RATE);
    // Cases that just became equivalent are not discoveries.
    this.#adjusted = this.#adjustedPs();
    this.#uncertain = undefined;
  }

  /** Whether a case needs more runs; true for a case without runs. */
  isOpen(key: string): boolean {
    const stopped = this.#members.get(key)?.stopped ?? null;
    if (stopped !== 'difference' || this.#limits.length === 0) return stopped === null;
    // Computed only on demand, because judging recorded runs does not need it.
    this.#uncertain ??= this.#uncertainCases();
    return this.#uncertain.has(key);
  }

  forecast(key: string): Forecast {
    return (this.#members.get(key) ?? new SequentialComparison(this.#settings)).forecast();
  }

  judgement(key: string): Judgement {
    const member = this.#members.get(key) ?? new SequentialComparison(this.#settings);
    return member.judgement(this.#adjusted.get(key) ?? 1);
  }

  /** Whether there is a difference before the correction. */
  isFound(key: string): boolean {
    return (this.#members.get(key)?.p ?? 1) <= ERROR_RATE;
  }

  get size(): number {
    return Math.max(this.#planned, this.#members.size);
  }

  get boundary(): SequentialBoundary {
    return this.#settings.boundary;
  }

  get keys(): readonly string[] {
    return [...this.#members.keys()];
  }

  #adjustedPs(): ReadonlyMap<string, number> {
    const members = [...this.#members];
    const ps = members.map(([, member]) => member.p);
    const adjusted = adjustForNumber(ps, this.size);
    return new Map(members.map(([key], index) => [key, adjusted[index] ?? 1]));
  }

  /** Tests cases against `limits`, as gates do. */
  #uncertainCases(): ReadonlySet<string> {
    const { boundary } = this.#settings;
    const judged = [...this.#members.keys()].map((key) => ({ key, judgement: this.judgement(key) }));
    const ps = judged.map(({ judgement }) =>
      Math.min(...this.#limits.map((limit) => sequentialP(judgement, limit, boundary))),
    );
    const adjusted = adjustForNumber(ps, this.size);
    const isUncertain = ({ reason, ratio, samples }: Judgement, p: number) =>
      reason === 'difference' &&
      ratio !== null &&
      samples.old.length < boundary.maxRuns &&
      p >= ERROR_RATE &&
      this.#limits.some((limit) => isBeyond(ratio.ratio, limit));
    return new Set(
      judged.flatMap(({ key, judgement }, at) => (isUncertain(judgement, adjusted[at] ?? 1) ? [key] : [])),
    );
  }
}

export function checkSequentialOptions({
  maxRuns = DEFAULT_MAX_RUNS,
  margin = DEFAULT_MARGIN,
  limits = [],
}: SequentialOptions): { readonly maxRuns: number; readonly margin: number } {
  if (!Number.isInteger(maxRuns) || maxRuns < FIRST_LOOK) {
    const problem = `invalid maximum of ${maxRuns} runs (--max-runs): expected a whole number, at least ${FIRST_LOOK}`;
    throw new UsageError('ERR_BENCH_OPTION', problem, { option: 'maxRuns' });
  }
  checkMargin(margin);
  const invalid = limits.find((limit) => !(limit > 0 && Number.isFinite(limit)));
  if (invalid !== undefined) {
    const problem = `invalid limit ${invalid}: expected a positive ratio, such as 0.95`;
    throw new UsageError('ERR_BENCH_OPTION', problem);
  }
  return { maxRuns, margin };
}
