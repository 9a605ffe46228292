import type { ExpectedAnswer } from '../client/answer.ts';
import type { ConnectionSettings, Target } from '../client/http-client.ts';
import type { KnownWarmUp } from './warm-up.ts';

/** What the thread of cronometro measures: a block of samples of one client. It is passed in the environment. */
export interface BlockOrder {
  readonly client: string;
  /** The config file with the user's clients. */
  readonly config: string | undefined;
  readonly target: Pick<Target, 'url' | 'protocol' | 'method' | 'socketPath'>;
  /** PEM. */
  readonly certificate: string | undefined;
  readonly expected: ExpectedAnswer;
  readonly settings: ConnectionSettings;
  /** Requests per sample. */
  readonly parallel: number;
  /** The least number of samples, or as many as the warm-up needs. */
  readonly samples: number | 'auto';
  /** Warms up until the rate is steady, as long as a client before, or with a single sample. */
  readonly warmUp: 'steady' | 'single' | KnownWarmUp;
  /** Time limit for all answers of a sample, milliseconds. */
  readonly answerTimeoutMs: number;
}

/** What the thread tells beside cronometro's result. */
export interface BlockMessage {
  readonly type: 'bench-cli.block';
  /** Answers that the client claims, including those of the warm-up. */
  readonly answers: number;
  readonly warmUp: KnownWarmUp & { readonly elapsedMs: number };
}

export const orderVariable = 'BENCH_CLI_CLIENT_BLOCK';

/** The length of the body of a POST. */
export const POST_BYTES = 128 * 1024;
