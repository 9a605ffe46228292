import { caseName } from '@bench-cli/results';
import { type Comparison, meanHalfWidth, type SampleSummary } from '@bench-cli/stats';
import { percent, rateText } from '../figure-text.ts';
import { escapeAsR } from './cell.ts';

/** Characters of the longest bar. */
const LONGEST = 40;

/**
 * Mean rates as bars of text with their 95 % intervals (Student's t). The two bars of a case have the same scale.
 */
export function renderBarTable(comparisons: readonly Comparison[]): string {
  return comparisons
    .map((comparison) => {
      const bars = [
        { subject: 'old', sample: comparison.old },
        { subject: 'new', sample: comparison.new },
      ];
      const largest = Math.max(...bars.map(({ sample }) => sample?.mean ?? 0), Number.MIN_VALUE);
      const lines = bars.map(({ subject, sample }) =>
        sample === null
          ? `  ${subject} has no run`
          : `  ${subject} ${bar(sample.mean / largest)} ${label(sample)}`,
      );
      return `${escapeAsR(caseName(comparison))}\n${lines.join('\n')}\n`;
    })
    .join('');
}

function bar(share: number): string {
  return '█'.repeat(Math.round(share * LONGEST)).padEnd(LONGEST, '·');
}

function label(sample: SampleSummary): string {
  const half = meanHalfWidth(sample);
  const share = half === null || sample.mean === 0 ? '' : ` ±${percent(half / sample.mean, 1)} %`;
  return `${rateText(sample.mean)} ops/s${share} (n=${sample.n})`;
}
