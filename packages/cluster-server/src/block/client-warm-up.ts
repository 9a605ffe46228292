import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The windows of a warm-up, milliseconds. They are longer later, when less code is compiled. */
const windowsMs = [1000, 2000, 4000];

/** The rise from one window to the next that a steady rate does not exceed. */
const steadyRise = 0.05;

/** The least milliseconds of a run whose client warms up until its rate is steady. */
export const LEAST_RUN_MS = 3000;

/** How long a client must warm up. */
export interface KnownWarmUp {
  /** Whether its rate was steady at the end. */
  readonly isSteady: boolean;
  /** When the last window began. If the rate became steady, it was steady from here on. */
  readonly neededMs: number;
  /** The mean time of a sample when it was warm, nanoseconds. */
  readonly sampleNs: number;
}

/**
 * Warms a client up, as long as it is known to need, or until its rate is steady.
 * @param order what is known, or how long a run takes: shorter runs have shorter windows
 */
export async function warmUpClient(
  sample: () => Promise<number>,
  order: KnownWarmUp | { readonly runMs: number },
): Promise<KnownWarmUp> {
  const meanNsIn = async (durationMs: number) => {
    let elapsedNs = 0;
    let samples = 0;
    while (elapsedNs < durationMs * 1e6) {
      elapsedNs += await sample();
      samples++;
    }
    return elapsedNs / samples;
  };
  if ('neededMs' in order) {
    await meanNsIn(order.neededMs);
    return order;
  }
  const share = Math.min(1, order.runMs / LEAST_RUN_MS);
  let state = { isSteady: false, neededMs: 0, sampleNs: Number.POSITIVE_INFINITY };
  let elapsedMs = 0;
  for (const windowMs of windowsMs.map((ms) => share * ms)) {
    const sampleNs = await meanNsIn(windowMs);
    state = { isSteady: state.sampleNs <= (1 + steadyRise) * sampleNs, neededMs: elapsedMs, sampleNs };
    if (state.isSteady) break;
    elapsedMs += windowMs;
  }
  return state;
}

/** The longest warm-up of a number of samples: most clients are warm by then. */
const LONGEST_MS = 3000;

export async function warmUpWith(samples: number, sample: () => Promise<unknown>): Promise<void> {
  const endMs = performance.now() + LONGEST_MS;
  for (let left = samples; left > 0 && performance.now() < endMs; left--) await sample();
}

/**
 * The warm-up of a client: the first process finds it out, the others read it from the session's directory.
 *
 * @param client its name and all that its rate depends on
 */
export async function rememberedWarmUp(
  client: object,
  find: () => Promise<KnownWarmUp>,
): Promise<KnownWarmUp> {
  const directory = process.env['BENCH_CLI_DIRECTORY'];
  if (directory === undefined) return find();
  const path = join(directory, `warm-up-${hash('sha256', JSON.stringify(client))}`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  const found = await find();
  writeFileSync(path, JSON.stringify(found));
  return found;
}
