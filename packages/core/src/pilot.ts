import type { TraceWindow } from './protocol.ts';

/** The least duration of a window, milliseconds. */
const windowMs = 15;

/** The rate of a process over time, from its first timed operation on. */
export class Trace {
  readonly windows: TraceWindow[] = [];
  #elapsedMs = 0;
  #operations = 0;
  #windowFromMs = 0;
  #windowFrom = 0;

  add(operations: number, durationMs: number): void {
    this.#elapsedMs += durationMs;
    this.#operations += operations;
    const lastedMs = this.#elapsedMs - this.#windowFromMs;
    if (lastedMs < windowMs) return;
    const rate = (this.#operations - this.#windowFrom) / lastedMs;
    this.windows.push([Math.round(this.#elapsedMs * 10) / 10, Number((1000 * rate).toPrecision(5))]);
    this.#windowFromMs = this.#elapsedMs;
    this.#windowFrom = this.#operations;
  }

  /** Whether an operation takes as long as a window, so that the windows show no change. */
  get isTooLong(): boolean {
    return this.#operations * windowMs < this.#elapsedMs;
  }
}
