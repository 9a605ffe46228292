import { type Case, caseKey } from '@bench-cli/results';
import type { ScheduledRun } from '../plan/schedule.ts';

/** A configuration is given up after this number of failed runs in a row under one subject. */
const tolerance = 2;

export type GivenUp = ReturnType<typeof givenUpCases>;

/**
 * The cases whose runs fail too often under a subject, or that it cannot plan. They are given up under that
 * subject, and under all subjects if nothing is left to compare: if that subject is the baseline, or the only
 * one with which the baseline is still compared.
 * @param subjectsOf a case: the names of those that can plan it, the baseline first
 * @param hasBaseline whether one is compared with the others. Without one, each is given up by itself
 */
export function givenUpCases(subjectsOf: (each: Case) => readonly string[], hasBaseline = true) {
  const subjectsByCase = new Map<string, Set<string>>();
  const failuresInARow = new Map<string, number>();
  return {
    take(run: ScheduledRun, failed: boolean): boolean {
      const key = caseKey(run);
      const side = JSON.stringify([key, run.subject]);
      const failures = failed ? (failuresInARow.get(side) ?? 0) + 1 : 0;
      failuresInARow.set(side, failures);
      if (failures < tolerance) return false;
      subjectsByCase.set(key, (subjectsByCase.get(key) ?? new Set()).add(run.subject));
      return true;
    },

    has(each: Case, subject: string): boolean {
      const failed = subjectsByCase.get(caseKey(each));
      const names = subjectsOf(each);
      const isGone = (name: string) => failed?.has(name) === true || !names.includes(name);
      if (isGone(subject) || !hasBaseline) return isGone(subject);
      const [baseline = subject, ...others] = names;
      return isGone(baseline) || (others.length > 0 && others.every(isGone));
    },
  };
}
