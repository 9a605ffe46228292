import type { Comparison } from './comparison.ts';
import type { Verdict } from './judgement.ts';

export const rateWords = {
  failed: 'failed',
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

/** The word for a verdict on a metric, or on the rate without one. Every output uses these words. */
export function verdictWord({ verdict, metric }: Pick<Comparison, 'verdict' | 'metric'>): string {
  return (metric === undefined ? rateWords : amountWords)[verdict];
}
