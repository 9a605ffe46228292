import type { Configuration } from './configuration.ts';

/** The parameter that counts operations, as in Node core's suite. */
export const countParameter = 'n';

/** How many runs of a case under a subject have its count of operations, and how many the higher one. */
export const START_UP_RUNS = 3;

/** The higher count, as a multiple of that of the case. */
export const START_UP_FACTOR = 4;

/** The name of the CPU time of the main thread in the measured part, nanoseconds, among the values of a run. */
export const mainThread = 'mainThread';

/** A configuration with the higher count of operations; undefined if it has no count. */
export function withManyOperations(configuration: Configuration): Configuration | undefined {
  const many = Number(configuration[countParameter]) * START_UP_FACTOR;
  return Number.isSafeInteger(many) && many >= START_UP_FACTOR
    ? { ...configuration, [countParameter]: many }
    : undefined;
}
