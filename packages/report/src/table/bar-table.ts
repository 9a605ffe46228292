import { caseName } from '@bench-cli/results';
import { type Comparison, type Judgement, meanHalfWidth, type SampleSummary } from '@bench-cli/stats';
import { percent, rateText } from '../figure-text.ts';
import { escapeAsR } from './cell.ts';

/** Characters of the longest bar. */
const LONGEST = 40;

/**
 * Mean rates as bars of text, with their 95 % intervals if the number of runs was fixed. The two bars of a case have the same
 * scale.
 */
export function renderBarTable(comparisons: readonly Comparison[]): string {
  const bars = comparisons
    .map((comparison) => {
      const bars = [
        { subject: 'old', sample: comparison.old },
        { subject: 'new', sample: comparison.new },
      ];
      const largest = Math.max(...bars.map(({ sample }) => sample?.mean ?? 0), Number.MIN_VALUE);
      const lines = bars.map(({ subject, sample }) =>
        sample === null
          ? `  ${subject} has no run`
          : `  ${subject} ${bar(sample.mean / largest)} ${label(sample, comparison.judgement)}`,
      );
      return `${escapeAsR(caseName(comparison))}\n${lines.join('\n')}\n`;
    })
    .join('');
  const hasIntervals = comparisons.some(({ judgement }) => hasInterval(judgement));
  return hasIntervals ? `${bars}\nMethod: mean rates with 95 % intervals (Student's t).\n` : bars;
}

/** Student's interval does not hold for samples whose size depends on their values. */
function hasInterval({ method }: Judgement): boolean {
  return method !== 'sequential';
}

function bar(share: number): string {
  return '█'.repeat(Math.round(share * LONGEST)).padEnd(LONGEST, '·');
}

function label(sample: SampleSummary, judgement: Judgement): string {
  const half = hasInterval(judgement) ? meanHalfWidth(sample) : null;
  const share = half === null || sample.mean === 0 ? '' : ` ±${percent(half / sample.mean, 1)} %`;
  return `${rateText(sample.mean)} ops/s${share} (n=${sample.n})`;
}
