import type { TraceWindow } from './protocol.ts';

/** The least duration of a window, milliseconds. */
const windowMs = 15;

/** The rate of a process over time, from its first timed operation on. */
export class Trace {
  readonly windows: TraceWindow[] = [];
  #elapsedMs = 0;
  #operations = 0;
  /** Where the window began. */
  #from: { readonly elapsedMs: number; readonly operations: number; readonly cpuNs: number | undefined };
  readonly #cpuNowNs: (() => number) | undefined;

  /** @param cpuNowNs the CPU time of the process, of which each window gets its share */
  constructor(cpuNowNs?: () => number) {
    this.#cpuNowNs = cpuNowNs;
    this.#from = { elapsedMs: 0, operations: 0, cpuNs: cpuNowNs?.() };
  }

  add(operations: number, durationMs: number): void {
    this.#elapsedMs += durationMs;
    this.#operations += operations;
    const from = this.#from;
    const lastedMs = this.#elapsedMs - from.elapsedMs;
    if (lastedMs < windowMs) return;
    const endMs = Math.round(this.#elapsedMs * 10) / 10;
    const rate = Number(((1000 * (this.#operations - from.operations)) / lastedMs).toPrecision(5));
    const cpuNs = this.#cpuNowNs?.();
    if (cpuNs === undefined) this.windows.push([endMs, rate]);
    else {
      const share = (cpuNs - (from.cpuNs ?? 0)) / (1e6 * lastedMs);
      this.windows.push([endMs, rate, Number(share.toPrecision(4))]);
    }
    this.#from = { elapsedMs: this.#elapsedMs, operations: this.#operations, cpuNs };
  }

  /** Whether an operation takes as long as a window, so that the windows show no change. */
  get isTooLong(): boolean {
    return this.#operations * windowMs < this.#elapsedMs;
  }
}
