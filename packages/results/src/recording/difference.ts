import { isDeepStrictEqual } from 'node:util';
import type { Environment, LoadedCode, PlanRecord } from './line.ts';

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

/** A benchmark that two plans have with different configurations, or that only one of them has. */
export function changedBenchmark(a: PlanRecord, b: PlanRecord): string | undefined {
  const [inA, inB] = [a, b].map(({ benchmarks }) => new Map(benchmarks.map((each) => [each.name, each])));
  const names = [...a.benchmarks, ...b.benchmarks].map(({ name }) => name);
  return names.find((name) => !isDeepStrictEqual(inA?.get(name), inB?.get(name)));
}

type Loaded = Readonly<Record<string, LoadedCode>>;

/**
 * A file that is not the same in what two sessions loaded, with its subject.
 * @param isWhole whether a file that only one session loaded is a difference; each configuration can load others when it runs
 */
export function changedFile(a: Loaded, b: Loaded, isWhole = true): string | undefined {
  for (const [subject, { files }] of Object.entries(a)) {
    const others = b[subject]?.files;
    if (others === undefined) continue;
    const names = isWhole ? Object.keys({ ...files, ...others }) : Object.keys(files);
    const name = names.find(
      (each) => files[each] !== others[each] && (isWhole || Object.hasOwn(others, each)),
    );
    if (name !== undefined) return `${name} (${subject})`;
  }
  return undefined;
}
