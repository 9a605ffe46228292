import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';

/** @param latencies microseconds, and how many answers had each */
export function histogramOf(latencies: Iterable<readonly [us: number, count: number]>): string {
  const histogram = build({ autoResize: true, numberOfSignificantValueDigits: 3 });
  for (const [us, count] of latencies) histogram.recordValueWithCount(Math.max(1, Math.round(us)), count);
  return encodeIntoCompressedBase64(histogram);
}
