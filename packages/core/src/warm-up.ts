/**
 * The warm-up of benchmarks and of clients, whose threads load nothing else of this package. It is for the packages of this repository only.
 *
 * @packageDocumentation
 */

/** How long the windows of a warm-up last. */
export interface WarmUpWindows {
  /** Milliseconds of the first window. Each is twice as long as the one before, because the compiler goes on ever more slowly. */
  readonly firstMs: number;
  /** Their number at most. */
  readonly windows: number;
}

/** How a warm-up ended. */
export interface SteadyState {
  /** Whether the rate was steady. */
  readonly isSteady: boolean;
  /** The rate in the last window. */
  readonly rate: number;
  /** When the last window began, milliseconds: from then on the rate was steady, if it was so at all. */
  readonly neededMs: number;
}

/** Whether a rate is steady, which is at most 5 % above that of the window before. */
export const isSteady = (rate: number, before: number): boolean => rate <= 1.05 * before;

/**
 * Warms up until the rate of a window is steady, or until the last window.
 * @param rateFor works for so many milliseconds, and returns the rate
 */
export async function warmUp(
  { firstMs, windows }: WarmUpWindows,
  rateFor: (durationMs: number) => Promise<number>,
): Promise<SteadyState> {
  let state: SteadyState = { isSteady: false, rate: 0, neededMs: 0 };
  for (let window = 0; window < windows && !state.isSteady; window++) {
    const rate = await rateFor(firstMs * 2 ** window);
    state = {
      isSteady: isSteady(rate, state.rate),
      rate,
      neededMs: firstMs * (2 ** window - 1),
    };
  }
  return state;
}
