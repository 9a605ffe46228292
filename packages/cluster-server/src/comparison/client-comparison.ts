import type { CompleteComparisonOptions } from './comparison-options.ts';
import type { Standing } from './standing.ts';

/** A client that gave a wrong answer, or none: it has no rate. */
export interface FailedClient {
  readonly name: string;
  /** What was wrong first. */
  readonly error: string;
  /** Samples before that. */
  readonly samples: number;
  /** The round in which it failed, from 1. */
  readonly round: number;
}

/** A client that was not measured. */
export interface SkippedClient {
  readonly name: string;
  readonly reason: string;
}

/** A client whose tolerance did not come below the threshold. */
export interface UnsettledClient {
  readonly name: string;
  readonly tolerance: number | null;
  readonly reason: string;
}

/** What a comparison of clients came to; all that is shown is a function of it. */
export interface ClientComparison {
  readonly server: {
    readonly url: string;
    readonly socketPath: string | null;
    /** Length of the body of its answers. */
    readonly answerBytes: number;
    /** Whether the server confirmed how many requests each client sent. */
    readonly countsRequests: boolean;
  };
  readonly options: CompleteComparisonOptions;
  readonly rounds: number;
  readonly elapsedMs: number;
  /** The slowest first. */
  readonly standings: readonly Standing[];
  /** Groups of names whose intervals overlap. */
  readonly ties: readonly (readonly string[])[];
  readonly failed: readonly FailedClient[];
  readonly skipped: readonly SkippedClient[];
  /** With `samples: 'auto'`. */
  readonly unsettled: readonly UnsettledClient[];
  /** How far the machine was faster or slower from round to round: standard deviation, a fraction. */
  readonly drift: number | null;
  /** What to know before believing the figures. */
  readonly warnings: readonly string[];
}
