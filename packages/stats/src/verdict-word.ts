import type { MetricDescription } from '@bench-cli/results/recording';
import type { Verdict } from './judgement.ts';

/** The words of verdicts on rates. */
export const rateWords = {
  higher: 'faster',
  lower: 'slower',
  same: 'no difference',
  undecided: 'undecided',
} as const satisfies Record<Verdict, string>;

/** The words of verdicts on amounts, such as bytes and latencies. */
export const amountWords = {
  ...rateWords,
  higher: 'more',
  lower: 'less',
} as const satisfies Record<Verdict, string>;

export type RateWord = (typeof rateWords)[Verdict];

/** A verdict, with the metric that it is about. */
interface VerdictOf {
  readonly verdict: Verdict;
  /** Absent for the rate. */
  readonly metric?: MetricDescription | undefined;
}

/** The word for a verdict. All that people and programs read has these words. */
export function verdictWord({ verdict, metric }: VerdictOf): string {
  return (metric === undefined ? rateWords : amountWords)[verdict];
}
