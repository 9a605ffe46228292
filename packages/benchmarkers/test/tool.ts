import { type Benchmarker, builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { describe } from 'vitest';
import { hasTool, skipWithout } from '../../../test/support/tools.ts';

/** A benchmarker of the built package, whose processes start faster than those of its TypeScript. */
function builtIn(name: string): Benchmarker {
  const found = builtInBenchmarkers.find((it) => it.name === name);
  if (found === undefined) throw new Error(`no benchmarker has the name ${name}`);
  return found;
}

export const wrk = builtIn('wrk');
export const autocannon = builtIn('autocannon');
export const h2load = builtIn('h2load');
export const oha = builtIn('oha');
export const openLoop = builtIn('open-loop');

/**
 * Tests that need a load tool, and wait for it at the same time; those of the next call begin when they have ended, because a tool without a
 * CPU does too little in its second. They are skipped, with a note, if the tool is not installed.
 */
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
  describe(name, () => {
    describe(title, { concurrent: true }, () => {
      if (tool !== undefined) skipWithout(tool);
      tests();
    });
  });
}
