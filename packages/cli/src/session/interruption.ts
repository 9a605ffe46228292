import { constants } from 'node:os';

/** Why a command ends early. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly by: NodeJS.Signals | 'closed output';

  constructor(by: NodeJS.Signals | 'closed output') {
    super(`interrupted by ${by}`);
    this.by = by;
  }

  /** 128 plus the number of the signal, as shells report it; a closed output counts as SIGPIPE. */
  get exitCode(): number {
    return 128 + constants.signals[this.by === 'closed output' ? 'SIGPIPE' : this.by];
  }
}

/**
 * A signal that aborts, with an `Interruption`, when the user interrupts the command or its output is closed. A second
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
    if (error.code === 'EPIPE') controller.abort(new Interruption('closed output'));
  });
  return controller.signal;
}
