import { cronometro } from 'cronometro';
import type { ConnectionSettings, Target } from '../client/http-client.ts';
import { errorText } from '../error-text.ts';
import type { ExpectedAnswer } from '../server/tested-server.ts';
import { type KnownWarmUp, rememberedWarmUp, type warmUpClient } from './client-warm-up.ts';

/** A block of samples of one client for the thread of cronometro: the first message to the thread. */
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
  /** Time limit for all answers of a sample, milliseconds. */
  readonly answerTimeoutMs: number;
}

/** The order, and the warm-up: until the rate is steady, as long as is known, or a number of samples. */
export type ThreadOrder = BlockOrder & { readonly warmUp: number | Parameters<typeof warmUpClient>[1] };

/** The answer of the thread beside cronometro's result. */
export interface BlockMessage {
  readonly type: 'bench-cli.block';
  /** Answers that the client claims, including those of the warm-up. */
  readonly answers: number;
  readonly warmUp: KnownWarmUp;
  readonly warmUpMs: number;
}

/** The least samples of a block without a number of samples, and its time as a multiple of its warm-up. */
const AUTO = { samples: 20, times: 3 };

/**
 * The samples of the warm-up for each measured one, and the fewest. With those of eight processes, a client
 * takes about twice the time of undici's benchmark, which warms it up with as many samples as it measures.
 */
const WARM_UP = { times: 4, samples: 10 };

/**
 * Lets cronometro measure a client. Without a number of samples, the block takes a multiple of the time of
 * the warm-up. cronometro needs the number before its thread starts, so another thread finds the warm-up out,
 * once in a session.
 *
 * @param samples of the block. A single one shows that the client works, after a single one of warm-up.
 * @param about what the warm-up of the client depends on
 * @param runMs the time of a run without a number of samples, if warm-up and least samples fit
 * @returns cronometro's figures of the samples, nanoseconds, and the answers of the thread or of both
 * @throws the first error of the client
 */
export async function measureClient(
  order: BlockOrder,
  samples: number | 'auto',
  about: object,
  runMs = Number.POSITIVE_INFINITY,
) {
  if (samples !== 'auto') {
    const warmUp = samples === 1 ? 1 : Math.max(WARM_UP.samples, WARM_UP.times * samples);
    return measureBlock({ ...order, warmUp }, samples);
  }
  let before = 0;
  const known = await rememberedWarmUp(about, async () => {
    const { answers, warmUp } = await measureBlock({ ...order, warmUp: { runMs } }, 1);
    before = answers;
    return warmUp;
  });
  const measuredMs = Math.min(AUTO.times * known.neededMs, runMs - known.neededMs);
  const needed = Math.ceil((measuredMs * 1e6) / known.sampleNs);
  const block = await measureBlock({ ...order, warmUp: known }, Math.max(AUTO.samples, needed));
  return { ...block, answers: before + block.answers };
}

/** Measures a client in a thread, which loads the script of this process and calls `measureInThread`. */
async function measureBlock(order: ThreadOrder, iterations: number) {
  let message: BlockMessage | undefined;
  const { promise: died, reject } = Promise.withResolvers<never>();
  const results = cronometro(
    { [order.client]: () => {} },
    {
      iterations,
      // The thread warms up by time: cronometro's warm-up takes as many samples as the measurement.
      warmup: false,
      // The runner decides how many runs are enough.
      errorThreshold: 0,
      print: false,
      onTestStart(_name, _data, worker) {
        worker.postMessage(order);
        worker.on('message', (received: unknown) => {
          if (isBlockMessage(received)) message = received;
        });
        // The last message can arrive in this turn of the event loop; cronometro needs another turn for it.
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
  return { ...message, result };
}

/** A client may send other messages. */
function isBlockMessage(message: unknown): message is BlockMessage {
  const { type, answers } = Object(message);
  return type === 'bench-cli.block' && typeof answers === 'number';
}
