import type { Failure } from '@bench-cli/results/recording';
import { failureOf } from './failure.ts';
import type { ProcessRequest, Supervisor } from './supervisor.ts';

/**
 * A script that has executed its setup and waits until it is released to execute its teardown. Objects of the setup, such
 * as a server, are available to all runs.
 */
export interface HeldScript {
  /** The variables that the setup has set for the runs. */
  readonly env: Readonly<Record<string, string>>;
  /** Lets the script execute its teardown, and waits for its end. */
  release(): Promise<Failure | undefined>;
}

/**
 * Starts a script and waits until its setup is done. The time limit applies to setup and to teardown, each by itself.
 * @returns the failure, if the script ended early
 * @throws the reason of `signal` if it aborts
 */
export async function holdScript(
  request: ProcessRequest,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): Promise<HeldScript | Failure> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  let overdue: Failure | undefined;
  const limit = (what: string) => {
    const { timeoutMs } = request;
    if (timeoutMs === 0) return undefined;
    const message = `its ${what} exceeded the time limit of ${timeoutMs / 1000} s and was killed; raise the limit with --timeout`;
    const end = () => {
      overdue = failureOf('timeout', message);
      stop.abort();
    };
    return setTimeout(end, timeoutMs).unref();
  };
  const failureOfOverdue = (error: unknown) => {
    if (overdue !== undefined) return overdue;
    throw error;
  };
  const timer = limit('setup');
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const held = Promise.withResolvers<
    Pick<HeldScript, 'env'> & { readonly answer: (message: object) => void }
  >();
  const ended = supervisor.run({ ...request, timeoutMs: 0 }, stop.signal, (message, answer) => {
    if (message.type === 'held') held.resolve({ env: message.env, answer });
  });
  try {
    const first = await Promise.race([held.promise, ended]);
    if (!('answer' in first)) return first.failure ?? endedEarly;
    return {
      env: first.env,
      release() {
        limit('teardown');
        first.answer({ type: 'release' });
        return ended.then(({ failure }) => failure).catch(failureOfOverdue);
      },
    };
  } catch (error) {
    return failureOfOverdue(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const endedEarly = failureOf('no result', 'exited after its setup without starting a run');
