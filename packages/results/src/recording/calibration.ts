import { type Case, caseKey } from '../case.ts';
import type { Configuration } from '../configuration.ts';
import type { CalibrationRecord } from './line.ts';

/** The parameter that counts operations, as in Node core's suite. */
export const COUNT_PARAMETER = 'n';

/** A configuration with another count of operations; the order of its parameters stays. */
export function withCount(configuration: Configuration, count: number): Configuration {
  return { ...configuration, [COUNT_PARAMETER]: count };
}

/** Finds the configuration with which a declared case was executed. */
export function executedAs(records: readonly CalibrationRecord[]): (declared: Case) => Configuration {
  const counts = new Map(records.map((record) => [caseKey(record), record.count]));
  return (declared) => {
    const count = counts.get(caseKey(declared));
    return count === undefined ? declared.configuration : withCount(declared.configuration, count);
  };
}
