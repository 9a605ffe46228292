import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start no process, or few. */
const pure = /\/packages\/(?:stats|results|report)\//;

/** Files that take long for their size, because their processes, pages or simulations do. */
const long =
  /\/(?:identity|interruption|same-code|affected|subjects|unbuilt|documented-commands|docs|client-session|page|plots|promise|found-change)\.test\.ts$/;

/**
 * Files that start processes come first: to start a process takes the longer the more memory the worker has in use, which simulations and
 * pages leave behind (1.5 ms of CPU time at 100 MB, 17 ms at 450 MB). In a clone without results, vitest starts large files first. A long
 * one at the end would leave all other workers idle.
 */
export class ProcessFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) =>
      2 * Number(pure.test(moduleId)) - Number(long.test(moduleId));
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
