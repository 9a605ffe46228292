import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { warmUp } from '@bench-cli/core/warm-up';

/** Of a client. */
const windowsMs = [1000, 2000, 4000];

/** The least milliseconds of a run whose client warms up until its rate is steady. */
export const LEAST_RUN_MS = 3000;

/** How long a client must warm up. */
export interface KnownWarmUp {
  /** Whether its rate was steady at the end. */
  readonly isSteady: boolean;
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
  const rateFor = async (durationMs: number) => {
    let elapsedNs = 0;
    let samples = 0;
    while (elapsedNs < durationMs * 1e6) {
      elapsedNs += await sample();
      samples++;
    }
    return (samples * 1e9) / elapsedNs;
  };
  if ('neededMs' in order) {
    await rateFor(order.neededMs);
    return order;
  }
  const share = Math.min(1, order.runMs / LEAST_RUN_MS);
  const windows = windowsMs.map((ms) => share * ms);
  const { rate, isSteady, neededMs } = await warmUp(windows, rateFor);
  return { isSteady, neededMs, sampleNs: 1e9 / rate };
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
