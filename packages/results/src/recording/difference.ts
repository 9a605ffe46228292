import { isDeepStrictEqual } from 'node:util';
import type { Environment, LoadedCode, PlanRecord } from './line.ts';

/** A name with differing values, and both values; undefined for a missing one. */
export function difference(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  const name = [...one.keys(), ...other.keys()].find((each) => one.get(each) !== other.get(each));
  return name === undefined ? undefined : { name, values: [one.get(name), other.get(name)] as const };
}

/**
 * The inherited environment that can change rates. All parts of a session need the same. Machines may differ
 * in their numbers of CPUs, but not in the number that `taskset` or a container leaves.
 */
export function inherited({ variables, cpus, machineCpus }: Environment): Map<string, string> {
  return new Map([
    ...Object.entries(variables).map(
      ([name, value]) => [`the variable ${name} of the shell`, value] as const,
    ),
    ...(machineCpus === undefined ? [] : [['the number of usable CPUs', String(cpus)] as const]),
  ]);
}

/** A benchmark with different configurations in two plans, or in only one of them. */
export function changedBenchmark(a: PlanRecord, b: PlanRecord): string | undefined {
  const [inA, inB] = [a, b].map(({ benchmarks }) => new Map(benchmarks.map((each) => [each.name, each])));
  const names = [...a.benchmarks, ...b.benchmarks].map(({ name }) => name);
  return names.find((name) => !isDeepStrictEqual(inA?.get(name), inB?.get(name)));
}

type Loaded = Readonly<Record<string, LoadedCode>>;

/**
 * A loaded file that differs between two sessions, with its subject.
 * @param isWhole whether a file that only one session loaded is a difference; configurations can load
 * different files when they run
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
