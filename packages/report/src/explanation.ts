import { type Case, caseName, nameCase, type Profiles, type SubjectNames } from '@bench-cli/results';
import { compareFixed } from '@bench-cli/stats';
import {
  compareParts,
  isDifference,
  type PartDifference,
  withoutCommonFactor,
} from '@bench-cli/stats/internal';
import { changeRange, metricText, ratioChange } from './figure-text.ts';

/** The functions that changed for a case between the baseline and another subject. */
export interface Explanation {
  readonly name: string;
  /** Display names of the baseline and of the other subject. */
  readonly old: string;
  readonly new: string;
  readonly profiles: number;
  /** Functions whose own time per operation (ns) differs significantly, the largest difference first. */
  readonly time: readonly PartDifference[];
  readonly notes: readonly string[];
}

/** @param profiles of each subject, those of the baseline first */
export function explanationsOf(
  profiledCase: Case,
  profiles: readonly Profiles[],
  names: SubjectNames,
): readonly Explanation[] {
  const [old, ...others] = profiles;
  if (old === undefined) return [];
  const nameOf = ({ subject }: Profiles) => names.get(subject) ?? subject;
  return others.map((new_) => {
    const whole = { old: old.runs, new: new_.runs };
    const { runs, factors } = withoutCommonFactor(whole);
    const common = notesInCommon(factors, nameOf(new_));
    // The change can cause a different factor. Division would then make unchanged functions look faster.
    const shown = common.length > 0 ? whole : runs;
    return {
      name: caseName(profiledCase),
      old: nameOf(old),
      new: nameOf(new_),
      profiles: old.runs.length,
      time: compareParts(shown).filter(({ adjustedP }) => adjustedP < 0.05),
      notes: [...common, ...notesAbout(old, new_, nameOf(old)), ...notesAbout(new_, old, nameOf(new_))],
    };
  });
}

/** Notes on the common factor of the times of most functions under a subject, if it is significant. */
export function notesInCommon(
  factors: ReturnType<typeof withoutCommonFactor>['factors'],
  subject: string,
): readonly string[] {
  const pair = { ...nameCase({ benchmark: '', configuration: {} }), baseline: '', subject, ...factors };
  const { comparisons } = compareFixed([pair]);
  return comparisons.flatMap(({ verdict, ratio }) =>
    ratio !== null && isDifference(verdict)
      ? `most functions take ${ratioChange(ratio.ratio)} of time under ${subject} (95 % interval ${changeRange(ratio)}), by the change or by the machine: the times contain it`
      : [],
  );
}

const collector = '(garbage collector)';

/** Events in V8 in at least half of the profiles of one subject, and in none of the other. */
export function notesAbout(one: Profiles, other: Profiles, name: string): readonly string[] {
  const texts = one.deoptimised.flatMap((each) => [...each]);
  const deoptimised = Array.from(Map.groupBy(texts, (text) => text))
    .filter(
      ([text, { length }]) =>
        length * 2 >= one.runs.length && !other.deoptimised.some((each) => each.has(text)),
    )
    .map(([text]) => `deoptimised only under ${name}: ${text}`);
  const pauses = one.runs.map((run) => run.get(collector) ?? 0);
  const isOnlyHere =
    pauses.filter((ns) => ns > 0).length * 2 >= pauses.length &&
    other.runs.every((run) => (run.get(collector) ?? 0) === 0);
  if (!isOnlyHere) return deoptimised;
  const mean = pauses.reduce((sum, ns) => sum + ns, 0) / pauses.length;
  return [...deoptimised, `garbage is collected only under ${name}: ${metricText(mean, 'ns')} per operation`];
}
