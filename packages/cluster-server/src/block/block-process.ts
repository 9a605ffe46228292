import { isMainThread } from 'node:worker_threads';
import { cronometro } from 'cronometro';
import { messageOf } from '../problem.ts';
import { END_OF_BLOCK } from './end-of-block.ts';
import { type BlockOrder, blockVariable, type FromBlock, type SampleMessage } from './messages.ts';

const order: BlockOrder = JSON.parse(process.env[blockVariable] ?? 'null');

if (isMainThread) await superviseThread(order);

/** cronometro loads this module in the thread of a client and calls this. */
export default async function measure(): Promise<void> {
  const { measureInThread } = await import('./client-thread.ts');
  await measureInThread(order);
}

/** Has cronometro measure the client in a thread, and tells the parent what comes of it. */
async function superviseThread({ client, samples }: BlockOrder): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  // A terminal's Ctrl-C goes to the whole group; the parent decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const ended = Promise.withResolvers<FromBlock>();
  const results = cronometro(
    { [client]: () => {} },
    {
      iterations: samples,
      warmup: false,
      // Whether the tolerance is small enough is decided over all rounds; a few samples of one look better than they are.
      errorThreshold: 0,
      print: false,
      onTestStart(_name, _data, worker) {
        worker.on('message', (message: unknown) => {
          if (isSample(message)) send(message);
        });
        // The last message of a thread may come in the same turn, and cronometro takes another to pass it on.
        worker.once('exit', () =>
          setImmediate(() =>
            ended.resolve({ type: 'failed', message: 'ended its thread before its samples were complete' }),
          ),
        );
      },
    },
  ).then(({ [client]: result }): FromBlock => {
    if (result?.error?.message === END_OF_BLOCK) return { type: 'measured' };
    return { type: 'failed', message: messageOf(result?.error ?? 'cronometro lost samples') };
  });
  const last = await Promise.race([results, ended.promise]);
  process.send?.(last, undefined, undefined, () => process.exit(0));
}

/** cronometro and the client, which is anybody's, may send something else. */
function isSample(message: unknown): message is SampleMessage {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  if (message.type !== 'bench-cli.sample' || !('elapsedNs' in message) || !('warmUp' in message))
    return false;
  return typeof message.elapsedNs === 'number' && typeof message.warmUp === 'boolean';
}

function send(message: FromBlock): void {
  process.send?.(message, undefined, undefined, () => {});
}
