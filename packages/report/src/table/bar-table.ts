import { caseName } from '@bench-cli/results';
import type { Comparison, Judgement, SampleSummary } from '@bench-cli/stats';
import { meanHalfWidth } from '@bench-cli/stats/internal';
import { caseSides } from '../case-sides.ts';
import { percent, rateText } from '../figure-text.ts';
import { escapeAsR, padded, widest } from './cell.ts';

const LONGEST = 40;

/**
 * Mean rates as bars of text, with their 95 % intervals if the number of runs was fixed. The bars of a case have the same scale.
 */
export function renderBarTable(comparisons: readonly Comparison[]): string {
  const bars = caseSides(comparisons).map(renderCase).join('');
  const hasIntervals = comparisons.some(({ judgement }) => hasInterval(judgement));
  return hasIntervals ? `${bars}\nMethod: mean rates with 95 % intervals (Student's t).\n` : bars;
}

function renderCase({ first, sides }: ReturnType<typeof caseSides<Comparison>>[number]): string {
  const largest = Math.max(...Array.from(sides.values(), (sample) => sample?.mean ?? 0), Number.MIN_VALUE);
  const names = Array.from(sides.keys(), escapeAsR);
  const lines = Array.from(sides.values(), (sample, at) => {
    const name = padded(names[at] ?? '', widest(names), 'left');
    if (sample === null) return `  ${name} has no run`;
    const bar = '█'.repeat(Math.round((sample.mean / largest) * LONGEST)).padEnd(LONGEST, '·');
    return `  ${name} ${bar} ${label(sample, first.judgement)}`;
  });
  return `${escapeAsR(caseName(first))}\n${lines.join('\n')}\n`;
}

/** Student's interval does not hold for samples whose size depends on their values. */
function hasInterval({ method }: Judgement): boolean {
  return method !== 'sequential';
}

function label(sample: SampleSummary, judgement: Judgement): string {
  const half = hasInterval(judgement) ? meanHalfWidth(sample) : null;
  const share = half === null || sample.mean === 0 ? '' : ` ±${percent(half / sample.mean, 1)} %`;
  return `${rateText(sample.mean)} ops/s${share} (n=${sample.n})`;
}
