import type { Environment } from './line.ts';

/** A name whose values differ, with both values; undefined for one that is missing. */
export function difference(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  const name = [...one.keys(), ...other.keys()].find((each) => one.get(each) !== other.get(each));
  return name === undefined ? undefined : { name, values: [one.get(name), other.get(name)] as const };
}

/**
 * What processes inherit from the shell, and can change rates. It must be the same in all parts of a session, on one machine or
 * several. Machines may differ in their numbers of CPUs, but not in how many of them `taskset` or a container leaves.
 */
export function inherited({ variables, cpus, machineCpus }: Environment): Map<string, string> {
  return new Map([
    ...Object.entries(variables).map(
      ([name, value]) => [`the variable ${name} of the shell`, value] as const,
    ),
    ...(machineCpus === undefined ? [] : [['the number of usable CPUs', String(cpus)] as const]),
  ]);
}
