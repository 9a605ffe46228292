import { describe } from 'vitest';
import { hasTool, skipWithout } from '../../../test/support/tools.ts';
import type { Benchmarker } from '../src/index.ts';

/** Tests that need a load tool. They are skipped, with a note, if it is not installed. */
export async function describeTool(
  benchmarker: Benchmarker,
  title: string,
  tests: () => void,
): Promise<void> {
  const { name } = benchmarker;
  const tool = (['wrk', 'h2load', 'oha', 'curl'] as const).find((it) => it === name);
  if (tool === undefined || hasTool(tool)) {
    const availability = await benchmarker.available();
    if (!availability.available) throw new Error(availability.message);
  }
  describe(`${name} ${title}`, () => {
    if (tool !== undefined) skipWithout(tool);
    tests();
  });
}
