import type { TraceWindow, WarmUp } from './protocol.ts';
import { warmUp } from './warm-up.ts';

/** The least duration of a window, milliseconds. */
const windowMs = 15;

/** At first, code is so cold that later windows are always faster, milliseconds. */
const coldMs = 100;

/** The later windows of the warm-up. A pilot lasts no longer than `measure()` does by default. */
const warmUpMs = [100, 100, 400];

/** The warm-up in turns. It is so long that a plan can warm up as long as `measure()` does by default. */
const warmUpMsInTurns = 300;

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

  /** Milliseconds of all operations so far. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Whether an operation takes as long as a window, so that the windows show no change. */
  get isTooLong(): boolean {
    return this.#operations * windowMs < this.#elapsedMs;
  }

  /**
   * @param sample adds to this trace
   * @returns undefined in turns, in which all sides warm up for the same time, so that all end together
   */
  async warmUp(sample: () => Promise<void>, isInTurns: boolean): Promise<WarmUp | undefined> {
    const rateFor = async (durationMs: number) => {
      const [fromMs, from] = [this.#elapsedMs, this.#operations];
      while (this.#elapsedMs < fromMs + durationMs) await sample();
      return (this.#operations - from) / (this.#elapsedMs - fromMs);
    };
    if (isInTurns) {
      await rateFor(warmUpMsInTurns);
      return undefined;
    }
    await rateFor(coldMs);
    const { isSteady } = await warmUp(warmUpMs, rateFor);
    return { elapsedMs: this.#elapsedMs, isSteady };
  }
}
