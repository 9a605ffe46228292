import { percentage } from '@bench-cli/results/settings';

/** What the interval of an adaptive rate is. */
export function precisionInterval({ errorRate }: { readonly errorRate: number }): string {
  return `repeated ${percentage
    .write(1 - errorRate)
    .join()
    .replace('%', ' %')} interval of the mean logarithm of the rate, valid at every look`;
}
