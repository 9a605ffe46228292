import type { Judgement } from '@bench-cli/stats';
import { isWithheld, type JudgementReason } from '@bench-cli/stats/internal';

const texts: Readonly<Record<Exclude<JudgementReason, 'too-few-runs'>, string>> = {
  difference: 'they differ',
  equivalence: 'within the margin',
  futility: 'more runs would hardly tell',
  limit: 'all runs are used up',
  'zero-rate': 'a rate of 0',
  'missing-subject': 'a subject has no run',
  'failed-runs': 'runs failed',
  'constant-rates': 'the rates never vary',
  'coarse-rates': 'the rates are too coarse',
};

type Reasoned = Pick<Judgement, 'reason' | 'warnings'>;

/** The fewest runs of each subject that can show a difference; 0 if there are enough. */
export function neededRuns({ warnings }: Pick<Judgement, 'warnings'>): number {
  return Math.max(0, ...warnings.map((each) => (each.kind === 'too-few-runs' ? each.neededRuns : 0)));
}

/**
 * Why a comparison has no more runs, or why it is undecided.
 * @param runs the fewest runs for a verdict, if there are too few
 */
export function reasonText(comparison: Reasoned, runs = neededRuns(comparison)): string {
  const { reason } = comparison;
  if (reason === null) return 'not finished';
  return reason === 'too-few-runs' ? `needs ${runs} runs` : texts[reason];
}

/** Why a comparison is undecided, if more runs would not help or runs are too few; else undefined. */
export function undecidedReason(comparison: Reasoned, runs?: number): string | undefined {
  const { reason } = comparison;
  return isWithheld(reason) || reason === 'too-few-runs' ? reasonText(comparison, runs) : undefined;
}
