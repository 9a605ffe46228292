import { type Case, caseName, type Profiles, type SubjectNames, type SubjectRole } from '@bench-cli/results';
import { judgeFixed } from '@bench-cli/stats';
import {
  compareParts,
  type PartDifference,
  type PartRuns,
  withoutCommonFactor,
} from '@bench-cli/stats/internal';
import { changeRange, metricText, ratioChange } from './figure-text.ts';

/** Why a case differs between the baseline and another subject: the functions that changed. */
export interface Explanation {
  readonly name: string;
  /** The display name of the baseline, and that of the other subject. */
  readonly old: string;
  readonly new: string;
  readonly profiles: number;
  /** The functions whose own time per operation differs for certain, nanoseconds, the largest difference first. */
  readonly time: readonly PartDifference[];
  /** The functions that allocate more or less themselves for certain, bytes per operation. */
  readonly memory: readonly PartDifference[];
  readonly notes: readonly string[];
  readonly flame: FlameFrame;
}

/** Explains the difference of a case by its profiles, for each subject after the baseline. */
export function explanationsOf(
  profiledCase: Case,
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
      name: caseName(profiledCase),
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

/**
 * The factor that the times of all functions have in common under a subject, if it is significant. The differences of functions exclude it.
 */
export function notesInCommon(
  factors: ReturnType<typeof withoutCommonFactor>['factors'],
  subject: string,
): readonly string[] {
  const { p, ratio } = judgeFixed(factors).judgement;
  if (ratio === null || p === null || p >= 0.05) return [];
  return [
    `all functions in common take ${ratioChange(ratio.ratio)} of time under ${subject} (95 % interval ${changeRange(ratio)})`,
  ];
}

const collector = '(garbage collector)';

/** Events in V8 that at least half of the profiles of one subject have, and none of the other. */
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

/** A function in its stack, with the time of all functions that it calls. */
export interface FlameFrame {
  /** Empty for the operation as a whole. */
  readonly name: string;
  /** Nanoseconds per operation, a mean over all profiles. */
  readonly old: number;
  readonly new: number;
  readonly calls: readonly FlameFrame[];
}

/** Frames with a smaller share of both operations together are left out. */
const LEAST_SHARE = 0.003;
/** Recursive functions could be nested without a limit. */
const DEEPEST = 60;

/** The time of the last function of a stack, the outermost first. */
interface Stack {
  readonly names: readonly string[];
  readonly side: SubjectRole;
  readonly ns: number;
}

/**
 * Joins the stacks of the profiles of two subjects. Stacks with equal functions are the same.
 * @param profiles the nanoseconds per operation in the last function of each stack; a key is a JSON array of the functions
 */
export function flameOf(profiles: Readonly<Record<SubjectRole, Profiles['stacks']>>): FlameFrame {
  const stacks = (['old', 'new'] as const).flatMap((side) =>
    profiles[side].flatMap((profile) =>
      Array.from(profile, ([key, ns]): Stack => {
        const names: readonly string[] = JSON.parse(key);
        return { names: names.slice(0, DEEPEST), side, ns: ns / profiles[side].length };
      }),
    ),
  );
  return frameOf('', stacks, 0, stacks.reduce((sum, { ns }) => sum + ns, 0) * LEAST_SHARE);
}

function frameOf(name: string, stacks: readonly Stack[], depth: number, least: number): FlameFrame {
  const sumOf = (side: SubjectRole) =>
    stacks.reduce((sum, stack) => sum + (stack.side === side ? stack.ns : 0), 0);
  const inner = Map.groupBy(
    stacks.filter(({ names }) => names.length > depth),
    ({ names }) => names[depth] ?? '',
  );
  const calls = Array.from(inner, ([callee, called]) => frameOf(callee, called, depth + 1, least))
    .filter((call) => call.old + call.new >= least)
    .sort((a, b) => b.old + b.new - a.old - a.new);
  return { name, old: sumOf('old'), new: sumOf('new'), calls };
}
