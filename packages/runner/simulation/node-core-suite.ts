import type { TrueCase } from './budget.ts';

/** What `bench/record-node-core.ts` has measured of a suite. */
export interface RecordedSuite {
  /** Versions of Node.js. */
  readonly old: string;
  readonly new: string;
  readonly groups: readonly {
    readonly group: string;
    /** How many the whole group has. */
    readonly configurations: number;
    /** Those that were measured. */
    readonly cases: readonly (RecordedCase | { readonly benchmark: string })[];
  }[];
}

interface RecordedCase {
  readonly benchmark: string;
  /** The mean of the runs of both subjects. */
  readonly runMs: number;
  /** Of the logarithm of a rate, within a subject. */
  readonly deviation: number;
  readonly logRatio: number;
  /** The standard error of `logRatio`. */
  readonly error: number;
}

/** A configuration of the whole suite, with a truth that is drawn for it. */
export interface DrawnCase {
  readonly group: string;
  /** Undefined if it fails. */
  readonly truth: TrueCase | undefined;
}

/**
 * Draws a whole suite: each configuration of a group gets the figures of one of the measured ones. A difference is made smaller by what
 * chance adds to it, `d (1 - error² / d²)`, and is none below its error: otherwise the noise of a few runs would count as a difference.
 *
 * Source: L. Breiman, "Better subset regression using the nonnegative garrote", Technometrics 37 (1995).
 */
export function drawnSuite({ groups }: RecordedSuite, uniform: () => number): readonly DrawnCase[] {
  return groups.flatMap(({ group, configurations, cases }) =>
    Array.from({ length: configurations }, () => {
      const drawn = cases[Math.floor(uniform() * cases.length)];
      if (drawn === undefined || !('runMs' in drawn)) return { group, truth: undefined };
      const { runMs, deviation, logRatio, error } = drawn;
      const kept = logRatio === 0 ? 0 : Math.max(0, 1 - (error / logRatio) ** 2);
      return { group, truth: { runMs, deviation, logRatio: kept * logRatio } };
    }),
  );
}
