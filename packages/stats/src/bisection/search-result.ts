import type { SequentialJudgement } from '../judgement.ts';
import type { VersionEvidence } from './bisection.ts';

/** The result of a search for the first bad version. */
export interface SearchResult {
  /** The comparison of the bad end with the good end. */
  readonly ends: SequentialJudgement;
  /** Undefined unless the ends differ. */
  readonly found: FoundVersions | undefined;
  /** The good end. */
  readonly good: string;
  /** Those that were measured or skipped, from the first after the good end to the bad end. */
  readonly versions: readonly SearchedVersion[];
  /** How many versions there are after the good end. */
  readonly size: number;
  /** Number of runs, with those of the good end and those that failed. */
  readonly runs: number;
  /** Wall time of the runs, milliseconds. */
  readonly runsMs: number;
}

/** A version that was measured or skipped. */
export interface SearchedVersion extends VersionEvidence {
  readonly version: string;
  /** Why it could not be measured. */
  readonly skipped?: string | undefined;
}

/** Where the first bad version is. */
export interface FoundVersions {
  /** The version before `first`. */
  readonly before: string;
  readonly first: string;
  /** Equal to `first` if one version was found. */
  readonly last: string;
  /** The probability that the first bad version is one of them. */
  readonly probability: number;
}
