import type { Terminal } from '../terminal.ts';

/** How often a log that is no terminal gets a line. */
export const logIntervalMs = 30_000;

/** Shows what a command does at the moment: on a terminal all the time, in a log every 30 seconds. */
export class StepLine implements Disposable {
  readonly #terminal: Terminal;
  readonly #timer: NodeJS.Timeout | undefined;
  #line: string | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    if (!terminal.statusIsTerminal) this.#timer = setInterval(() => this.#log(), logIntervalMs);
  }

  show(line: string): void {
    this.#line = line;
    this.#terminal.status(line);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#terminal.status(undefined);
  }

  #log(): void {
    if (this.#line !== undefined) this.#terminal.notice(this.#line);
  }
}
