import { type Case, caseKey } from '../case.ts';
import type { Configuration } from '../configuration.ts';
import type { CalibrationRecord } from './line.ts';

/** A configuration with another count of operations; the order of its parameters stays the same. */
export function withCount(configuration: Configuration, parameter: string, count: number): Configuration {
  return { ...configuration, [parameter]: count };
}

/** Returns a function that gives the configuration with which a declared case was executed. */
export function executedAs(records: readonly CalibrationRecord[]): (declared: Case) => Configuration {
  const byKey = new Map(records.map((record) => [caseKey(record), record]));
  return (declared) => {
    const record = byKey.get(caseKey(declared));
    return record === undefined
      ? declared.configuration
      : withCount(declared.configuration, record.parameter, record.count);
  };
}
