import { rateWords } from '@bench-cli/stats';
import type { RateWord } from '@bench-cli/stats/internal';
import { percent, pValue, rateText } from '../../figure-text.ts';
import type { Entry } from './entry.ts';

/** The class and the symbol of a verdict in a page. */
export function verdictClass(verdict: RateWord): string {
  return verdict.replaceAll(' ', '-');
}

/** A change in per cent with its sign: `+5.1 %`. */
export function changeText(fraction: number | null, decimals = 1): string {
  return fraction === null ? 'none' : `${signed(fraction, decimals)} %`;
}

/** `+4.2 to +6.0 %`; empty without an interval. */
export function intervalText({ low, high }: Pick<Entry, 'low' | 'high'>, decimals = 1): string {
  return low === null || high === null ? '' : `${signed(low, decimals)} to ${signed(high, decimals)} %`;
}

function signed(fraction: number, decimals: number): string {
  const text = percent(Math.abs(fraction), decimals);
  if (Number(text) === 0) return text;
  return `${fraction < 0 ? '−' : '+'}${text}`;
}

export function pText(p: number | null): string {
  return p === null ? 'none' : pValue(p);
}

export function meanText(mean: number | null): string {
  return mean === null ? 'none' : rateText(mean, 4);
}

/** `2 slower, 5 faster of 20`. */
export function countsText(entries: readonly Entry[]): string {
  const { lower, higher } = rateWords;
  const counts = [lower, higher]
    .map((verdict) => ({ verdict, count: entries.filter((entry) => entry.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdict}`);
  return counts.length === 0
    ? `0 of ${entries.length} ${lower} or ${higher}`
    : `${counts.join(', ')} of ${entries.length}`;
}

export const TIE_TEXT = 'Subjects of a configuration with the same letter cannot be told apart.';
