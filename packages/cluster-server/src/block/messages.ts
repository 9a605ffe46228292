import type { ExpectedAnswer } from '../client/answer.ts';
import type { ConnectionSettings, Target } from '../client/http-client.ts';

/**
 * The order to the process that measures a client: some samples of one client, in one round. The process does not validate
 * the order, since loading a library for that would delay each block.
 */
export interface BlockOrder {
  readonly client: string;
  /** The config file with the user's clients. */
  readonly config?: string | undefined;
  /** Packages of the project of this directory are preferred. */
  readonly directory: string;
  readonly target: Pick<Target, 'url' | 'protocol' | 'method'> & {
    readonly socketPath?: string | undefined;
    readonly postBytes: number;
    /** PEM. */
    readonly certificate?: string | undefined;
  };
  readonly expected: ExpectedAnswer;
  readonly settings: ConnectionSettings;
  /** Requests per sample. */
  readonly parallel: number;
  readonly samples: number;
  /** Milliseconds of samples at least; there are more of them if they are short. */
  readonly leastMs: number;
  /** Warms up until the rate is steady, or with a single sample. */
  readonly warmUp: 'steady' | 'single';
  readonly answerTimeoutMs: number;
}

export const blockVariable = 'BENCH_CLI_CLIENT_BLOCK';

/** Milliseconds of a window of the warm-up, the rise that a steady rate does not exceed, and the limit of the warm-up. */
export const WARM_UP = { windowMs: 200, rise: 0.05, limitMs: 5_000 };

/** A sample, from the thread that measures to its process, and from there to the parent process. */
export interface SampleMessage {
  readonly type: 'bench-cli.sample';
  readonly elapsedNs: number;
  readonly warmUp: boolean;
}

/** The end of the warm-up, sent like a sample. */
export interface WarmMessage {
  readonly type: 'bench-cli.warm';
  readonly isSteady: boolean;
}

/** The messages to the parent process; the last one is of another type. */
export type FromBlock =
  | SampleMessage
  | WarmMessage
  | { readonly type: 'measured' }
  | { readonly type: 'failed'; readonly message: string };

/** The longest sample that cronometro's histogram can hold, nanoseconds; a longer one is the last of its block. */
export const LONGEST_SAMPLE_NS = 1e9;

/**
 * The message of the error that is thrown after the last sample of a block. Without it, cronometro would compute its own
 * figures from a histogram of almost two million counters, which takes longer than the samples.
 */
export const END_OF_BLOCK = 'bench-cli: end of block';
