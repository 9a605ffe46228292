import { build } from 'hdr-histogram-js';
import type { ToolReport } from './load-result.ts';

/** The latencies of a load. The memory that it takes does not grow with the load. */
export class Latencies {
  readonly #all = build({ autoResize: true, numberOfSignificantValueDigits: 3 });

  /** @param answers how many had this latency */
  record(ms: number, answers = 1): void {
    this.#all.recordValueWithCount(Math.max(1, Math.round(ms * 1000)), answers);
  }

  get count(): number {
    return this.#all.totalCount;
  }

  get figures() {
    const { mean, stdDeviation, maxValue } = this.#all;
    // The histogram returns the end of the step that has the value.
    const ms = (percentile: number) => Math.min(maxValue, this.#all.getValueAtPercentile(percentile)) / 1000;
    return {
      ...{ meanMs: mean / 1000, stdevMs: stdDeviation / 1000, maxMs: maxValue / 1000 },
      ...{ p50Ms: ms(50), p75Ms: ms(75), p90Ms: ms(90), p99Ms: ms(99), p999Ms: ms(99.9) },
    } satisfies ToolReport['latency'];
  }
}
