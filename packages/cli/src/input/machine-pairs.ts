import type { SamplePair } from '@bench-cli/results';

/** Joins what several machines have measured; a configuration that one of them has measured alone is as it was. */
export function joinMachines(machines: readonly (readonly SamplePair[])[]): readonly SamplePair[] {
  const groups = Map.groupBy(machines.flat(), ({ benchmark, configuration }) =>
    JSON.stringify([benchmark, configuration]),
  );
  return Array.from(groups.values(), ([first, ...others]) =>
    first === undefined || others.length === 0 ? first : joined(first, others),
  ).filter((pair) => pair !== undefined);
}

function joined(first: SamplePair, others: readonly SamplePair[]): SamplePair {
  const pairs = [first, ...others];
  return {
    ...first,
    old: pairs.flatMap((pair) => Array.from(pair.old)),
    new: pairs.flatMap((pair) => Array.from(pair.new)),
    machines: pairs,
  };
}
