import { type Case, caseName, type SubjectNames } from '@bench-cli/results';
import {
  compareParts,
  type PartDifference,
  type PartRuns,
  withoutCommonFactor,
} from '@bench-cli/stats/internal';
import { notesAbout, notesInCommon, type Profiles } from './explanation-notes.ts';
import { type FlameFrame, flameOf } from './flame.ts';

/** Why a case differs between the baseline and another subject: the functions that changed. */
export interface Explanation {
  /** The benchmark and its configuration. */
  readonly name: string;
  /** The display name of the baseline, and that of the other subject. */
  readonly old: string;
  readonly new: string;
  /** The number of profiles of each kind under each subject. */
  readonly profiles: number;
  /** The functions whose own time per operation differs for certain, nanoseconds, the largest difference first. */
  readonly time: readonly PartDifference[];
  /** The functions that allocate more or less themselves for certain, bytes per operation. */
  readonly memory: readonly PartDifference[];
  /** Sentences about events in V8 that occurred under one subject only. */
  readonly notes: readonly string[];
  readonly flame: FlameFrame;
}

/** Explains the difference of a case by its profiles, for each subject after the baseline. */
export function explanationsOf(
  of: Case,
  profiles: readonly Profiles[],
  names: SubjectNames,
): readonly Explanation[] {
  const [baseline = '', ...others] = [...new Set(profiles.map(({ subject }) => subject))];
  const nameOf = (subject: string) => names.get(subject) ?? subject;
  const profilesOf = (kind: Profiles['kind'], subject: string) =>
    profiles.find((each) => each.kind === kind && each.subject === subject);
  return others.flatMap((subject) => {
    const [old, new_] = [profilesOf('cpu', baseline), profilesOf('cpu', subject)];
    const [oldHeap, newHeap] = [profilesOf('heap', baseline), profilesOf('heap', subject)];
    if (!old || !new_ || !oldHeap || !newHeap) return [];
    const { runs, factors } = withoutCommonFactor({ old: old.runs, new: new_.runs });
    return {
      name: caseName(of),
      old: nameOf(baseline),
      new: nameOf(subject),
      profiles: old.runs.length,
      time: certainParts(runs),
      memory: certainParts({ old: oldHeap.runs, new: newHeap.runs }),
      notes: [
        ...notesInCommon(factors, nameOf(subject)),
        ...notesAbout(old, new_, nameOf(baseline)),
        ...notesAbout(new_, old, nameOf(subject)),
      ],
      flame: flameOf({ old: old.stacks, new: new_.stacks }),
    };
  });
}

function certainParts(runs: PartRuns): readonly PartDifference[] {
  return compareParts(runs).filter(({ adjustedP }) => adjustedP < 0.05);
}
