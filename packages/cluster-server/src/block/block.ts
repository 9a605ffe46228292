import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BlockOrder, blockVariable, type FromBlock } from './messages.ts';

export type BlockOutcome =
  | {
      readonly kind: 'measured';
      /** Nanoseconds of each sample. */
      readonly elapsedNs: readonly number[];
      /** Milliseconds of the warm-up. */
      readonly warmUpMs: number;
      /** Whether the rate was steady after the warm-up. */
      readonly isSteady: boolean;
      /** Answers that the client claims, including those of the warm-up. */
      readonly answers: number;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly samples: number };

/** Measures a client in one round. The comparison depends on this type only, so it can be tested without processes. */
export type MeasureBlock = (order: BlockOrder, signal: AbortSignal | undefined) => Promise<BlockOutcome>;

const processPath = fileURLToPath(new URL(`./block-process.${import.meta.url.slice(-2)}`, import.meta.url));

/** Characters to keep from stderr of a process that fails. */
const LAST_WORDS = 300;
/** Milliseconds beyond the time limit of the client, for the start and the end of the process. */
const GRACE_MS = 10_000;

/**
 * Measures a client in a separate process, which has ended when the promise settles.
 *
 * @throws the reason of `signal` if that aborts
 */
export const measureBlock: MeasureBlock = async (order, signal) => {
  signal?.throwIfAborted();
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = fork(processPath, [], {
    // Compiled code is kept from one block to the next if this process keeps it.
    env: { NODE_COMPILE_CACHE: getCompileCacheDir(), ...environment, [blockVariable]: JSON.stringify(order) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const limitMs = order.answerTimeoutMs + GRACE_MS;
  const elapsedNs: number[] = [];
  let warmUpNs = 0;
  let isSteady = false;
  let batches = 0;
  let last: FromBlock | undefined;
  let words = '';
  let silent = false;
  const exited = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    silent = true;
    kill();
  }, limitMs);
  signal?.addEventListener('abort', kill, { once: true });
  child.stderr?.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-LAST_WORDS);
  });
  child.on('message', (message: FromBlock) => {
    timer.refresh();
    if (message.type === 'bench-cli.warm') isSteady = message.isSteady;
    else if (message.type !== 'bench-cli.sample') last = message;
    else {
      batches++;
      if (message.warmUp) warmUpNs += message.elapsedNs;
      else elapsedNs.push(message.elapsedNs);
    }
  });
  try {
    await exited;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
  signal?.throwIfAborted();
  const failed = (message: string): BlockOutcome => ({ kind: 'failed', message, samples: elapsedNs.length });
  if (last?.type === 'measured') {
    const answers = batches * order.parallel;
    return { kind: 'measured', elapsedNs, warmUpMs: warmUpNs / 1e6, isSteady, answers };
  }
  if (last?.type === 'failed') return failed(last.message);
  if (silent) return failed(`no sample within ${limitMs / 1000} s; the client was killed`);
  return failed(
    `the process of the client ended before its samples were complete${words === '' ? '' : `: ${words.trim()}`}`,
  );
};
