/**
 * Milliseconds of the first window of time, the number of windows at most, and the rise that a steady rate does not exceed. The
 * compiler goes on for seconds, ever more slowly, so each window is twice as long as the one before.
 */
export const WARM_UP = { firstMs: 1000, windows: 3, rise: 0.05 };

/** How a warm-up ended. */
export interface WarmUpEnd {
  /** Whether the rate was steady. */
  readonly isSteady: boolean;
  /** The mean time of a sample in the last window. */
  readonly sampleNs: number;
}

/**
 * Warms a client up, until its rate in a window is at most 5 % above that in the window before, or until the last window.
 *
 * @param sample takes a sample, and returns its nanoseconds
 */
export async function warmUp(sample: () => Promise<number>): Promise<WarmUpEnd> {
  let sampleNs = Number.POSITIVE_INFINITY;
  for (let window = 0; window < WARM_UP.windows; window++) {
    const windowNs = WARM_UP.firstMs * 2 ** window * 1e6;
    const before = sampleNs;
    let elapsedNs = 0;
    let samples = 0;
    while (elapsedNs < windowNs) {
      elapsedNs += await sample();
      samples++;
    }
    sampleNs = elapsedNs / samples;
    if (before <= (1 + WARM_UP.rise) * sampleNs) return { isSteady: true, sampleNs };
  }
  return { isSteady: false, sampleNs };
}
