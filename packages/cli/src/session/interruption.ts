import { constants } from 'node:os';
import { adaptiveRuns } from '@bench-cli/results';
import type { SessionEvent, SessionListener } from '@bench-cli/runner';

export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly by: NodeJS.Signals | OutputFailure;

  constructor(by: NodeJS.Signals | OutputFailure) {
    super(`interrupted by ${by}`);
    this.by = by;
  }

  /** 128 plus the number of the signal, as shells report it. */
  get exitCode(): number {
    // The exit code of a process that SIGPIPE ended.
    if (this.by === 'closed output') return 128 + constants.signals.SIGPIPE;
    return this.by === 'full output' ? 2 : 128 + constants.signals[this.by];
  }
}

type OutputFailure = 'closed output' | 'full output';

/** The first Ctrl-C of an adaptive comparison, which then ends with its round: judged rounds are whole. */
export class RoundInterruption implements SessionListener {
  /** Called when the session is going to end with its round. */
  onAsked: () => void = () => {};
  #hasRounds = false;
  #isInRounds = false;
  #asked: Interruption | undefined;

  /** @returns whether the session ends with its round, and not at once */
  take(interruption: Interruption): boolean {
    if (!this.#isInRounds || this.#asked !== undefined || interruption.by !== 'SIGINT') return false;
    this.#asked = interruption;
    this.onAsked();
    return true;
  }

  session({ session }: SessionEvent<'session'>): void {
    const { command, runs } = session.request;
    const adaptive = adaptiveRuns(runs);
    this.#hasRounds = command === 'compare' && adaptive !== undefined && !adaptive.allPairs;
  }

  run({ record }: SessionEvent<'run'>): void {
    this.#isInRounds = this.#hasRounds && record.kind !== 'metrics';
    // A session whose time is up goes on to other runs without the end of a round.
    if (record.kind === 'metrics') this.#endRound();
  }

  outlook({ open }: SessionEvent<'outlook'>): void {
    this.#isInRounds = this.#hasRounds && open > 0;
    this.#endRound();
  }

  #endRound(): void {
    if (this.#asked !== undefined) throw this.#asked;
  }
}

/** A further Ctrl-C waits for no teardown. @param rounds takes the first Ctrl-C if it can */
export function signalOf(process: NodeJS.Process, rounds: RoundInterruption): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal);
      if (controller.signal.aborted) process.exit(interruption.exitCode);
      if (!rounds.take(interruption)) controller.abort(interruption);
    });
  }
  return controller.signal;
}

/** The signal and the stream of a terminal that can end a command. */
interface Interruptible {
  readonly io: { readonly signal: AbortSignal; readonly stdout: NodeJS.WritableStream & Output };
}

/** Why the standard output cannot be written. A closed terminal also sends SIGHUP to its programs. */
export function outputInterruption({ code }: NodeJS.ErrnoException, { isTTY }: Output): Interruption {
  if (code === 'EIO' && isTTY) return new Interruption('SIGHUP');
  return new Interruption(code === 'EPIPE' ? 'closed output' : 'full output');
}

interface Output {
  readonly isTTY?: boolean | undefined;
}

/** Aborts with an `Interruption` when the user interrupts the command or its output cannot be written. */
export function interruptionSignal({ io: { signal, stdout } }: Interruptible): AbortSignal {
  const output = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    output.abort(outputInterruption(error, stdout));
  });
  return AbortSignal.any([signal, output.signal]);
}
