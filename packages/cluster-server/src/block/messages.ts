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
  /** Samples before those that count. */
  readonly warmUp: number;
  readonly answerTimeoutMs: number;
}

export const blockVariable = 'BENCH_CLI_CLIENT_BLOCK';

/** A sample, from the thread that measures to its process, and from there to the parent process. */
export interface SampleMessage {
  readonly type: 'bench-cli.sample';
  readonly elapsedNs: number;
  readonly warmUp: boolean;
}

/** The messages to the parent process; the last one is not a sample. */
export type FromBlock =
  | SampleMessage
  | { readonly type: 'measured' }
  | { readonly type: 'failed'; readonly message: string };

/** The longest sample that cronometro's histogram can hold, nanoseconds; a longer one is the last of its block. */
export const LONGEST_SAMPLE_NS = 1e9;

/**
 * The message of the error that is thrown after the last sample of a block. Without it, cronometro would compute its own
 * figures from a histogram of almost two million counters, which takes longer than the samples.
 */
export const END_OF_BLOCK = 'bench-cli: end of block';
