import { caseName, shownIn } from '@bench-cli/results';
import type { Comparison, ComparisonList, SampleSummary } from '@bench-cli/stats';
import { methodOf } from '@bench-cli/stats/internal';
import { caseSides } from '../case-sides.ts';
import { percent, speedText } from '../figure-text.ts';
import { resultWord } from '../reason-text.ts';
import { padded, widest } from './table.ts';

const LONGEST = 40;

/** Mean rates as bars of text, with 95 % intervals if the method has them. Bars of a case share a scale. */
export function renderBarTable(list: ComparisonList): string {
  const { comparisons } = list;
  const { meanHalfWidth } = methodOf(list);
  const bars = caseSides<Comparison>(comparisons).map(({ first, sides }) => {
    const largest = Math.max(...Array.from(sides.values(), (sample) => sample?.mean ?? 0), Number.MIN_VALUE);
    const names = Array.from(sides.keys(), (name) => shownIn('name', name));
    const lines = Array.from(sides.values(), (sample, at) => {
      const name = padded(names[at] ?? '', widest(names), 'left');
      if (sample === null) return `  ${name} ${resultWord(first)}\n`;
      const bar = '█'.repeat(Math.round((sample.mean / largest) * LONGEST)).padEnd(LONGEST, '·');
      return `  ${name} ${bar} ${label(sample, first, meanHalfWidth(sample))}\n`;
    });
    return `${caseName(first)}\n${lines.join('')}`;
  });
  const samples = comparisons.flatMap((each) => [each.old, each.new]);
  const hasIntervals = samples.some((sample) => sample !== null && meanHalfWidth(sample) !== null);
  return `${bars.join('')}${hasIntervals ? "\nMethod: mean rates with 95 % intervals (Student's t).\n" : ''}`;
}

function label({ mean, n }: SampleSummary, comparison: Comparison, half: number | null): string {
  const share = half === null || mean === 0 ? '' : ` ±${percent(half / mean, 1)} %`;
  return `${speedText(mean, comparison)}${share} (n=${n})`;
}
