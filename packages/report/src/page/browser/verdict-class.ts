import { rateWords } from '@bench-cli/stats';
import type { RateWord } from '@bench-cli/stats/internal';

export const verdictClasses: Readonly<Record<RateWord, string>> = {
  [rateWords.higher]: 'faster',
  [rateWords.lower]: 'slower',
  [rateWords.same]: 'no-difference',
  [rateWords.undecided]: 'undecided',
};
