import type { Environment } from './line.ts';

/** A name whose values differ, with both values; undefined for one that is missing. */
export function difference(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  for (const name of [...one.keys(), ...other.keys()]) {
    const values = [one.get(name), other.get(name)] as const;
    if (values[0] !== values[1]) return { name, values };
  }
  return undefined;
}

/**
 * What processes inherit from the shell, and can change rates. It must be the same in all parts of a session, on one machine or
 * several. Machines may differ in their numbers of CPUs, but not in how many of them `taskset` or a container leaves.
 */
export function inherited({ variables, cpus, machineCpus }: Environment): Map<string, string> {
  return new Map([
    ...Object.entries(variables).map(([name, value]): [string, string] => [
      `the variable ${name} of the shell`,
      value,
    ]),
    ...(machineCpus === undefined ? [] : [['the number of usable CPUs', String(cpus)] as const]),
  ]);
}
