import { percentWord } from '../options.ts';

/** What the interval of an adaptive rate is. */
export function precisionInterval({ errorRate }: { readonly errorRate: number }): string {
  return `repeated ${percentWord(1 - errorRate).replace('%', ' %')} interval of the mean logarithm of the rate, valid at every look`;
}
