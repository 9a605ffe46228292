import { judgeFixed } from '@bench-cli/stats';
import type { withoutCommonFactor } from '@bench-cli/stats/internal';
import { changeRange, ratioChange } from './figure-text.ts';
import { metricText } from './metric-text.ts';

/** The profiles of one kind of a case under one subject. */
export interface Profiles {
  readonly kind: 'cpu' | 'heap';
  readonly subject: string;
  /** For each profile: the nanoseconds or bytes per operation in each function itself. */
  readonly runs: readonly ReadonlyMap<string, number>[];
  /** For each profile of the CPU: its stacks, as `flameOf` takes them. */
  readonly stacks: readonly ReadonlyMap<string, number>[];
  /** The functions of each profile whose optimised code V8 discarded, with the reason. */
  readonly deoptimised: readonly ReadonlySet<string>[];
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
  const counts = new Map<string, number>();
  for (const text of one.deoptimised.flatMap((each) => [...each]))
    counts.set(text, (counts.get(text) ?? 0) + 1);
  const deoptimised = Array.from(counts)
    .filter(
      ([text, count]) => count * 2 >= one.runs.length && !other.deoptimised.some((each) => each.has(text)),
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
