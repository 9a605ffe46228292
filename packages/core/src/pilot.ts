import type { SamplingOrder, TraceWindow, WarmUp } from './protocol.ts';

/** The least duration of a window, milliseconds. */
const windowMs = 15;

/**
 * Milliseconds of the first window of a warm-up, the number of windows at most, and the rise that a steady rate does not exceed. Each
 * window is twice as long as the one before, because the compiler goes on ever more slowly.
 */
const warmUp = { firstMs: 100, windows: 5, rise: 0.05 };

/** How this process takes its samples, if its session plans that. */
export function samplingOrder(): SamplingOrder | undefined {
  const order = process.env['BENCH_CLI_SAMPLING'];
  return order === undefined ? undefined : JSON.parse(order);
}

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

  /** Whether an operation takes as long as a window, so that the windows tell nothing. */
  get isTooLong(): boolean {
    return this.#operations * windowMs < this.#elapsedMs;
  }

  /** Warms up until the rate of a window is at most 5 % above that of the one before. @param sample adds to this trace */
  async warmUp(sample: () => Promise<void>): Promise<WarmUp> {
    let isSteady = false;
    let before = 0;
    for (let window = 0; window < warmUp.windows && !isSteady; window++) {
      const [fromMs, from] = [this.#elapsedMs, this.#operations];
      const untilMs = fromMs + warmUp.firstMs * 2 ** window;
      while (this.#elapsedMs < untilMs) await sample();
      const rate = (this.#operations - from) / (this.#elapsedMs - fromMs);
      isSteady = rate <= (1 + warmUp.rise) * before;
      before = rate;
    }
    return { elapsedMs: this.#elapsedMs, isSteady };
  }
}
