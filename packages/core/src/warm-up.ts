/**
 * The warm-up of clients, whose threads load nothing else of this package. Only for packages of this
 * repository.
 *
 * @packageDocumentation
 */

/** How a warm-up ended. */
export interface SteadyState {
  /** Whether the rate was steady. */
  readonly isSteady: boolean;
  /** The rate in the last window. */
  readonly rate: number;
  /** When the last window began, milliseconds. If the rate became steady, it was steady from here on. */
  readonly neededMs: number;
}

/** The rise that a steady rate does not exceed. */
const steadyRise = 0.05;

/**
 * Warms up until the rate of a window is at most 5 % above that of the one before, or until the last window.
 * @param windowsMs the milliseconds of each window, longer for later ones, in which less code is compiled
 * @param rateFor works for a number of milliseconds, and returns the rate
 */
export async function warmUp(
  windowsMs: readonly number[],
  rateFor: (durationMs: number) => Promise<number>,
): Promise<SteadyState> {
  let state: SteadyState = { isSteady: false, rate: 0, neededMs: 0 };
  let elapsedMs = 0;
  for (const windowMs of windowsMs) {
    const rate = await rateFor(windowMs);
    state = { isSteady: rate <= (1 + steadyRise) * state.rate, rate, neededMs: elapsedMs };
    if (state.isSteady) break;
    elapsedMs += windowMs;
  }
  return state;
}
