import { build, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';
import type { ToolReport } from './load-result.ts';

/** Significant digits of the percentiles, and of the histograms, of which there are many. */
const DIGITS = { all: 3, part: 2 } as const;
/** Enough parts to see when a server stalled, in a few kilobytes. */
const MOST_PARTS = 24;
const SHORTEST_PART_SECONDS = 1 / 64;

/** The latencies of a load, over all of it and in parts of equal length. The memory that it takes does not grow with the load. */
export class Latencies {
  readonly #all = emptyHistogram(DIGITS.all);
  #parts: Histogram[] = [];
  #partSeconds = SHORTEST_PART_SECONDS;

  /**
   * @param sentSeconds when the request was sent, since the start of the load
   * @param answers how many had this latency
   */
  record(ms: number, sentSeconds: number, answers = 1): void {
    const us = Math.max(1, Math.round(ms * 1000));
    this.#all.recordValueWithCount(us, answers);
    // How long a load lasts is not known before its end.
    while (sentSeconds >= MOST_PARTS * this.#partSeconds) this.#joinParts();
    const at = Math.max(0, Math.floor(sentSeconds / this.#partSeconds));
    while (this.#parts.length <= at) this.#parts.push(emptyHistogram(DIGITS.part));
    this.#parts[at]?.recordValueWithCount(us, answers);
  }

  get count(): number {
    return this.#all.totalCount;
  }

  get report() {
    const { mean, stdDeviation, maxValue } = this.#all;
    // The histogram returns the end of the step that has the value.
    const ms = (percentile: number) => Math.min(maxValue, this.#all.getValueAtPercentile(percentile)) / 1000;
    return {
      latency: {
        ...{ meanMs: mean / 1000, stdevMs: stdDeviation / 1000, maxMs: maxValue / 1000 },
        ...{ p50Ms: ms(50), p75Ms: ms(75), p90Ms: ms(90), p99Ms: ms(99), p999Ms: ms(99.9) },
      },
      histograms: {
        partSeconds: this.#partSeconds,
        parts: this.#parts.map((part) => encodeIntoCompressedBase64(part)),
      },
    } satisfies Partial<ToolReport>;
  }

  #joinParts(): void {
    this.#partSeconds *= 2;
    this.#parts = this.#parts.flatMap((part, at, parts) => {
      if (at % 2 === 1) return [];
      const next = parts[at + 1];
      if (next !== undefined) part.add(next);
      return part;
    });
  }
}

function emptyHistogram(numberOfSignificantValueDigits: 2 | 3): Histogram {
  return build({ autoResize: true, numberOfSignificantValueDigits });
}
