import { Interruption } from './session-view.ts';

/**
 * A signal that aborts when the user interrupts the command, or nobody reads its output any more. A second Ctrl-C
 * does not wait for the teardown of benchmarks.
 */
export function interruptionSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort(new Interruption(signal));
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    controller.abort(new Interruption('closed output'));
  });
  return controller.signal;
}
