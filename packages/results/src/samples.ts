import { type Case, caseKey, type NamedCase, nameCase } from './case.ts';

/** The two subjects of a comparison. */
export type SubjectRole = 'old' | 'new';

/** Rates, operations per second, under both subjects in the order in which they were measured. */
export interface RatePair {
  readonly old: ArrayLike<number>;
  readonly new: ArrayLike<number>;
}

/** The rates of one case under both subjects. */
export interface SamplePair extends NamedCase, RatePair {
  /** The same rates by machine, where several have measured them; absent for one machine. */
  readonly machines?: readonly RatePair[];
}

/** The rates (operations per second) of one case under one subject. */
export interface Sample extends Case {
  readonly rates: ArrayLike<number>;
}

/** A run of a comparison. */
export interface ComparedRun extends Case {
  readonly subject: SubjectRole;
  /** Counts from 0; the runs of one round and case are a pair. */
  readonly round: number;
  /** Operations per second. */
  readonly rate: number;
}

/** The samples of runs, one pair for each case, in the order of their first runs. */
export function samplePairs(runs: Iterable<ComparedRun>): SamplePair[] {
  const pairs = new Map<string, SamplePair & Record<SubjectRole, number[]>>();
  for (const run of runs) {
    const key = caseKey(run);
    const pair = pairs.get(key) ?? { ...nameCase(run), old: [], new: [] };
    pair[run.subject].push(run.rate);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

/** Joins the samples of several machines. A case that one machine measured alone stays as it is. */
export function joinMachines(machines: readonly (readonly SamplePair[])[]): readonly SamplePair[] {
  return Array.from(Map.groupBy(machines.flat(), ({ key }) => key).values()).flatMap((pairs) => {
    const [first] = pairs;
    if (first === undefined || pairs.length === 1) return pairs;
    return {
      ...first,
      old: pairs.flatMap((pair) => Array.from(pair.old)),
      new: pairs.flatMap((pair) => Array.from(pair.new)),
      machines: pairs.map(({ old, new: new_ }) => ({ old, new: new_ })),
    };
  });
}
