import type { CompleteComparisonOptions } from './comparison-options.ts';
import type { Standing } from './standing.ts';

/** A client with a wrong or missing answer, which has no rate. */
export interface FailedClient {
  readonly name: string;
  /** The first problem. */
  readonly error: string;
  /** Samples before that. */
  readonly samples: number;
  /** The round in which it failed, from 1. */
  readonly round: number;
}

export interface SkippedClient {
  readonly name: string;
  readonly reason: string;
}

/** A client whose tolerance did not fall below the threshold. */
export interface UnsettledClient {
  readonly name: string;
  readonly tolerance: number | null;
  readonly reason: string;
}

/** The result of a comparison of clients. All output is a function of it. */
export interface ClientComparison {
  readonly server: {
    readonly url: string;
    readonly socketPath: string | null;
    /** Length of the body of an answer. */
    readonly answerBytes: number;
    /** Whether the server confirmed the number of requests of each client. */
    readonly countsRequests: boolean;
  };
  readonly options: CompleteComparisonOptions;
  readonly rounds: number;
  readonly elapsedMs: number;
  /** The slowest first. */
  readonly standings: readonly Standing[];
  /** Groups of names in which no difference is certain. */
  readonly ties: readonly (readonly string[])[];
  readonly failed: readonly FailedClient[];
  readonly skipped: readonly SkippedClient[];
  /** Only with `samples: 'auto'`. */
  readonly unsettled: readonly UnsettledClient[];
  /** Variation of the machine's speed from round to round: standard deviation, a fraction. */
  readonly drift: number | null;
  /** Reasons not to trust the figures. */
  readonly warnings: readonly string[];
}
