import { type Comparison, type ComparisonList, type Judgement, verdictWord } from '@bench-cli/stats';
import { isWithheld, type JudgementReason } from '@bench-cli/stats/internal';
import { shortPercent } from './figure-text.ts';

export const NOT_RUN = 'not run';

const texts: Readonly<Record<Exclude<JudgementReason, 'equivalence' | 'too-few-runs'>, string>> = {
  difference: 'they differ',
  futility: 'more runs would hardly tell',
  limit: 'all runs are used up',
  'zero-rate': 'a rate of 0',
  'out-of-time': 'out of time',
  interrupted: 'interrupted',
  'missing-subject': NOT_RUN,
  'failed-runs': 'runs failed',
  'constant-rates': 'the rates never vary',
  'coarse-rates': 'the rates are too coarse',
};

type Reasoned = Pick<Comparison, 'verdict' | 'reason' | 'warnings'>;

/** The fewest runs of each subject that can show a difference; 0 if there are enough. */
export function neededRuns({ warnings }: Pick<Judgement, 'warnings'>): number {
  return Math.max(0, ...warnings.map((each) => (each.kind === 'too-few-runs' ? each.neededRuns : 0)));
}

/** Why a comparison has no more runs, or why it is undecided. */
export function reasonText(comparison: Reasoned, { margin }: Pick<ComparisonList, 'margin'>): string {
  const { reason } = comparison;
  if (reason === 'equivalence') return withinText(margin);
  return reason === 'too-few-runs' ? neededText(neededRuns(comparison)) : texts[reason];
}

/** The largest difference that counts as none: `within ±2 %`. */
export function withinText(margin: number): string {
  return `within ±${shortPercent(margin)}`;
}

/** Why more of the same runs would not help. @param runs the fewest for a verdict, if there are too few */
export function undecidedReason(comparison: Reasoned, runs = neededRuns(comparison)): string | undefined {
  const { verdict, reason } = comparison;
  if (verdict !== 'undecided') return undefined;
  if (reason === 'too-few-runs') return neededText(runs);
  const isEarly = reason === 'out-of-time' || reason === 'interrupted';
  return isWithheld(reason) || isEarly || reason === 'missing-subject' ? texts[reason] : undefined;
}

function neededText(runs: number): string {
  return `needs ${runs} runs`;
}

/** The words for a comparison in tables: its verdict, or that a side has not run. */
export function resultWord(comparison: Comparison): string {
  return hasRun(comparison) ? verdictWord(comparison) : NOT_RUN;
}

/** The words for a comparison, with the reason of an undecided verdict. */
export function verdictCell(comparison: Comparison): string {
  const [word, reason] = [resultWord(comparison), undecidedReason(comparison)];
  return reason === undefined || reason === word ? word : `${word}: ${reason}`;
}

/** Whether both sides have run, also if all of their runs failed. */
export function hasRun({ old, new: new_, verdict }: Comparison): boolean {
  return (old !== null && new_ !== null) || verdict === 'failed';
}
