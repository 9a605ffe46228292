import { type Benchmarker, builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { describe } from 'vitest';
import { hasTool, isTool, skipWithout } from '../../../test/support/tools.ts';

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
 * Tests of load tools. Those of one tool wait at the same time. The tools follow each other, because a tool
 * without a CPU does too little in its second, unless `together` says that this does not matter. Tests of a
 * tool that is not installed are skipped, with a note.
 */
export async function describeTools(
  benchmarkers: readonly Benchmarker[],
  title: string,
  tests: (benchmarker: Benchmarker) => void,
  { together = false } = {},
): Promise<void> {
  for (const benchmarker of benchmarkers) {
    const { name } = benchmarker;
    const tool = isTool(name) ? name : undefined;
    if (tool === undefined || hasTool(tool)) {
      const availability = await benchmarker.available();
      const remedy =
        tool === undefined ? `; to skip its tests without it, add ${name} to test/support/tools.ts` : '';
      if (!availability.available) throw new Error(`${availability.message}${remedy}`);
    }
    describe(name, { concurrent: together }, () => {
      describe(title, { concurrent: true }, () => {
        if (tool !== undefined) skipWithout(tool);
        tests(benchmarker);
      });
    });
  }
}
