import { cronometro } from 'cronometro';
import type { ExpectedAnswer } from '../client/answer.ts';
import type { ConnectionSettings, Target } from '../client/http-client.ts';
import { errorText } from '../error-text.ts';
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

/**
 * Lets cronometro measure a client. Its thread loads the script of this process, which must then call `measureInThread`.
 *
 * @param errorThreshold the standard error at which cronometro ends early, per cent of the mean; 0 for never
 * @returns cronometro's figures of the samples, nanoseconds, and what the thread tells
 * @throws the first error of the client
 */
export async function measureBlock(order: BlockOrder, errorThreshold: number) {
  process.env[orderVariable] = JSON.stringify(order);
  let message: BlockMessage | undefined;
  const { promise: died, reject } = Promise.withResolvers<never>();
  const results = cronometro(
    { [order.client]: () => {} },
    {
      // The thread knows the number if the order does not.
      iterations: order.samples === 'auto' ? 1 : order.samples,
      // The thread warms up by time: cronometro's warm-up takes as many samples as the measurement.
      warmup: false,
      errorThreshold,
      print: false,
      onTestStart(_name, _data, worker) {
        worker.on('message', (received: unknown) => {
          if (isBlockMessage(received)) message = received;
        });
        // The last message of a thread may arrive in this turn of the event loop; cronometro needs another one to process it.
        worker.once('exit', () =>
          setImmediate(() =>
            reject(new Error('the thread of the client ended before its samples were complete')),
          ),
        );
      },
    },
  );
  const { [order.client]: result } = await Promise.race([results, died]);
  if (result?.success !== true) throw new Error(errorText(result?.error ?? 'cronometro has no result'));
  if (message === undefined) throw new Error('the thread of the client did not count its answers');
  return { result, answers: message.answers, warmUp: message.warmUp };
}

/** A client may send other messages. */
function isBlockMessage(message: unknown): message is BlockMessage {
  const { type, answers } = Object(message);
  return type === 'bench-cli.block' && typeof answers === 'number';
}
