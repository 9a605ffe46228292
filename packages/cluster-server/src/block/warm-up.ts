import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SteadyState, warmUp } from '@bench-cli/core/warm-up';

/** Of a client. */
const windowsMs = [1000, 2000, 4000];

/** A warm-up of the same client before: it need not be found out again how long it takes. */
export type KnownWarmUp = Pick<SteadyState, 'isSteady' | 'neededMs'>;

/**
 * Warms a client up, as long as it is known to need, or until its rate is steady.
 *
 * @param sample takes a sample, and returns its nanoseconds
 * @returns also the mean time of a sample in the last window
 */
export async function warmUpClient(sample: () => Promise<number>, known?: KnownWarmUp | undefined) {
  const rateFor = async (durationMs: number) => {
    let elapsedNs = 0;
    let samples = 0;
    while (elapsedNs < durationMs * 1e6) {
      elapsedNs += await sample();
      samples++;
    }
    return (samples * 1e9) / elapsedNs;
  };
  const { rate, isSteady, neededMs } =
    known === undefined
      ? await warmUp(windowsMs, rateFor)
      : { ...known, rate: await rateFor(known.neededMs) };
  return { isSteady, neededMs, sampleNs: 1e9 / rate };
}

/**
 * Remembers how long a client has to warm up, in the directory of the session, which ends with it.
 * @param client its name and all that its rate depends on
 */
export function rememberedWarmUp(client: object) {
  const directory = process.env['BENCH_CLI_DIRECTORY'];
  const path = directory && join(directory, `warm-up-${hash('sha256', JSON.stringify(client))}`);
  return {
    read: (): KnownWarmUp | undefined =>
      path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined,
    write({ isSteady, neededMs }: KnownWarmUp) {
      if (path) writeFileSync(path, JSON.stringify({ isSteady, neededMs }));
    },
  };
}
