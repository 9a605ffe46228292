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
  /** When the last window began: from then on the rate was steady, if it was so at all. */
  readonly neededMs: number;
}

/** A warm-up of the same client before: it need not be found out again how long it takes. */
export type KnownWarmUp = Pick<WarmUpEnd, 'isSteady' | 'neededMs'>;

/**
 * Warms a client up: as long as it is known to need, or until its rate in a window is at most 5 % above that in the window before, or
 * until the last window.
 *
 * @param sample takes a sample, and returns its nanoseconds
 */
export async function warmUp(
  sample: () => Promise<number>,
  known?: KnownWarmUp | undefined,
): Promise<WarmUpEnd> {
  const sampleFor = async (ms: number) => {
    let elapsedNs = 0;
    let samples = 0;
    while (elapsedNs < ms * 1e6) {
      elapsedNs += await sample();
      samples++;
    }
    return elapsedNs / samples;
  };
  if (known !== undefined) return { ...known, sampleNs: await sampleFor(known.neededMs) };
  let sampleNs = Number.POSITIVE_INFINITY;
  let neededMs = 0;
  let isSteady = false;
  for (let window = 0; window < WARM_UP.windows && !isSteady; window++) {
    neededMs = WARM_UP.firstMs * (2 ** window - 1);
    const before = sampleNs;
    sampleNs = await sampleFor(WARM_UP.firstMs * 2 ** window);
    isSteady = before <= (1 + WARM_UP.rise) * sampleNs;
  }
  return { isSteady, sampleNs, neededMs };
}
