import { constants } from 'node:os';

/** The exit code of a command whose output was closed: that of a process that SIGPIPE ended. */
export const closedOutputCode = 128 + constants.signals.SIGPIPE;

/** Why a command ends early. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly by: NodeJS.Signals | OutputFailure;

  constructor(by: NodeJS.Signals | OutputFailure) {
    super(`interrupted by ${by}`);
    this.by = by;
  }

  /** 128 plus the number of the signal, as shells report it. */
  get exitCode(): number {
    if (this.by === 'closed output') return closedOutputCode;
    return this.by === 'full output' ? 2 : 128 + constants.signals[this.by];
  }
}

/** Why the standard output cannot be written. */
type OutputFailure = 'closed output' | 'full output';

/**
 * A signal that aborts, with an `Interruption`, when the user interrupts the command or its output cannot be written. A second
 * Ctrl-C does not wait for the teardown of benchmarks.
 */
export function interruptionSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      controller.abort(interruption);
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    controller.abort(new Interruption(error.code === 'EPIPE' ? 'closed output' : 'full output'));
  });
  return controller.signal;
}
