import { describe } from 'vitest';
import type { Benchmarker } from '../src/index.ts';

/** Tests that need a load tool. If it is not available, they are skipped, and their title says why. */
export async function describeTool(
  benchmarker: Benchmarker,
  title: string,
  tests: () => void,
): Promise<void> {
  const availability = await benchmarker.available();
  const reason = availability.available ? '' : ` (skipped: ${availability.message})`;
  describe.skipIf(!availability.available)(`${benchmarker.name} ${title}${reason}`, tests);
}
