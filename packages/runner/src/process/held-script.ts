import type { Failure } from '@bench-cli/results/recording';
import { failureOf, type ProcessRequest, type Supervisor } from './supervisor.ts';

/**
 * Starts a script, and waits until its setup is done. It then waits to execute its teardown, so that objects
 * of the setup, such as a server, are available to all runs.
 * @returns the variables that the setup has set for the runs; the failure, if the script ended early
 */
export async function holdScript(
  request: ProcessRequest,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
) {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const limited = async <Value>(phase: string, event: Promise<Value>): Promise<Value | Failure> => {
    const { timeoutMs } = request;
    const message = `its ${phase} exceeded the time limit of ${timeoutMs / 1000} s and was killed; raise the limit with --timeout`;
    const overdue = failureOf('timeout', message);
    const timer = timeoutMs > 0 ? setTimeout(() => stop.abort(overdue), timeoutMs).unref() : undefined;
    try {
      return await event;
    } catch (error) {
      if (error === overdue) return overdue;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const held = Promise.withResolvers<{
    readonly env: Readonly<Record<string, string>>;
    readonly answer: (message: object) => void;
  }>();
  const ended = supervisor.run({ ...request, timeoutMs: 0 }, stop.signal, (message, answer) => {
    if (message.type === 'held') held.resolve({ env: message.env, answer });
  });
  const first = await limited('setup', Promise.race([held.promise, ended])).finally(() =>
    signal?.removeEventListener('abort', abort),
  );
  if ('kind' in first) return first;
  if (!('answer' in first)) return first.failure ?? endedEarly;
  return {
    env: first.env,
    async release(): Promise<Failure | undefined> {
      first.answer({ type: 'release' });
      const end = await limited('teardown', ended);
      return 'kind' in end ? end : end.failure;
    },
  };
}

const endedEarly = failureOf('no result', 'exited after its setup without starting a run');
