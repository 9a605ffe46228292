/** Milliseconds of a window, the rise that a steady rate does not exceed, and the limit. */
export const WARM_UP = { windowMs: 200, rise: 0.05, limitMs: 5_000 };

/**
 * Warms a client up in windows of time, until its rate in the last two windows is at most 5 % above that in the two before, or
 * until the time limit.
 *
 * @param sample takes a sample, and returns its nanoseconds
 * @returns whether the rate is steady
 */
export async function warmUp(sample: () => Promise<number>, now = () => performance.now()): Promise<boolean> {
  const { windowMs, rise, limitMs } = WARM_UP;
  const endMs = now() + limitMs;
  /** Mean milliseconds of the samples of each window. */
  const windows: number[] = [];
  while (now() < endMs) {
    let elapsedMs = 0;
    let samples = 0;
    while (elapsedMs < windowMs) {
      elapsedMs += (await sample()) / 1e6;
      samples++;
    }
    windows.push(elapsedMs / samples);
    const [a, b, c, d] = windows.slice(-4);
    if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
    if (a + b <= (1 + rise) * (c + d)) return true;
  }
  return false;
}
