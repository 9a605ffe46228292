import type { ExpectedAnswer } from '../client/answer.ts';
import type { ConnectionSettings, Target } from '../client/http-client.ts';

/**
 * What the process that measures a client is told: some samples of one client, in one round. It trusts its parent, and
 * loads nothing for that: this is on the way of every block.
 */
export interface BlockOrder {
  readonly client: string;
  /** The config file with the user's clients. */
  readonly config?: string | undefined;
  /** Packages come from this directory's project first. */
  readonly directory: string;
  readonly target: Pick<Target, 'url' | 'protocol' | 'method'> & {
    readonly socketPath?: string | undefined;
    readonly postBytes: number;
    /** PEM. */
    readonly certificate?: string | undefined;
  };
  readonly expected: ExpectedAnswer;
  readonly settings: ConnectionSettings;
  /** Requests of a sample. */
  readonly parallel: number;
  readonly samples: number;
  /** Samples before those that count. */
  readonly warmUp: number;
  readonly answerTimeoutMs: number;
}

export const blockVariable = 'BENCH_CLI_CLIENT_BLOCK';

/** A sample, from the thread that measures to its process, and from that to the one that started it. */
export interface SampleMessage {
  readonly type: 'bench-cli.sample';
  readonly elapsedNs: number;
  readonly warmUp: boolean;
}

/** What the process tells; the last is no sample. */
export type FromBlock =
  | SampleMessage
  | { readonly type: 'measured' }
  | { readonly type: 'failed'; readonly message: string };
