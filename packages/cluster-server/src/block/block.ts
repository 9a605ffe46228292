import { cronometro } from 'cronometro';
import { errorText } from '../error-text.ts';
import { type BlockMessage, type BlockOrder, orderVariable } from './order.ts';

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
