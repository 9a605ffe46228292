import { existsSync } from 'node:fs';
import { expect, vi } from 'vitest';

/** A time limit that passes only when a test lets it pass, milliseconds. */
export const CONTROLLED_LIMIT_MS = 600_000;

/**
 * Executes a session in this process whose runs have that limit. It passes when a process has made the next of these files, whatever else the
 * machine does.
 */
export async function passingLimits<Result>(
  files: readonly string[],
  session: () => Promise<Result>,
): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const ended = session();
    for (const file of files) {
      await expect
        .poll(() => {
          vi.advanceTimersByTime(10);
          return existsSync(file);
        })
        .toBe(true);
      vi.advanceTimersByTime(CONTROLLED_LIMIT_MS);
    }
    vi.useRealTimers();
    return await ended;
  } finally {
    vi.useRealTimers();
  }
}
