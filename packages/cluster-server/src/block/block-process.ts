import { isMainThread } from 'node:worker_threads';
import { cronometro } from 'cronometro';
import { errorText } from '../error-text.ts';
import {
  type BlockOrder,
  blockVariable,
  END_OF_BLOCK,
  type FromBlock,
  type SampleMessage,
  type WarmMessage,
} from './messages.ts';

const order: BlockOrder = JSON.parse(process.env[blockVariable] ?? 'null');

if (isMainThread) await superviseThread(order);

/** cronometro imports this module in the thread of a client and calls this function. */
export default async function measure(): Promise<void> {
  const { measureInThread } = await import('./client-thread.ts');
  await measureInThread(order);
}

/** Measures the client in a thread of cronometro, and reports the outcome to the parent process. */
async function superviseThread({ client }: BlockOrder): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C in a terminal signals the whole process group; the parent process decides when this one ends.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const ended = Promise.withResolvers<FromBlock>();
  const results = cronometro(
    { [client]: () => {} },
    {
      // The thread ends the block.
      iterations: Number.MAX_SAFE_INTEGER,
      warmup: false,
      // The comparison decides over all rounds; the tolerance of a few samples of one round is too small.
      errorThreshold: 0,
      print: false,
      onTestStart(_name, _data, worker) {
        worker.on('message', (message: unknown) => {
          if (isProgress(message)) send(message);
        });
        // The last message of a thread may arrive in this turn of the event loop; cronometro needs another one to process it.
        worker.once('exit', () =>
          setImmediate(() =>
            ended.resolve({
              type: 'failed',
              message: 'the thread of the client ended before its samples were complete',
            }),
          ),
        );
      },
    },
  ).then(({ [client]: result }): FromBlock => {
    if (result?.error?.message === END_OF_BLOCK) return { type: 'measured' };
    return { type: 'failed', message: errorText(result?.error ?? 'cronometro lost samples') };
  });
  const last = await Promise.race([results, ended.promise]);
  process.send?.(last, undefined, undefined, () => process.exit(0));
}

/** cronometro and the client may send other messages. */
function isProgress(message: unknown): message is SampleMessage | WarmMessage {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  if (message.type === 'bench-cli.warm')
    return 'isSteady' in message && typeof message.isSteady === 'boolean';
  if (message.type !== 'bench-cli.sample' || !('elapsedNs' in message) || !('warmUp' in message))
    return false;
  return typeof message.elapsedNs === 'number' && typeof message.warmUp === 'boolean';
}

function send(message: FromBlock): void {
  process.send?.(message, undefined, undefined, () => {});
}
