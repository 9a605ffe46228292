import { quantile } from '@bench-cli/stats/internal';
import type { LaneFigures } from './mark.ts';

const LEAST_BOX = 5;

/**
 * The box of a sample and the runs outside of it, as in ggplot2: quartiles of type 7, and whiskers to the
 * last run within 1.5 interquartile ranges.
 */
export function sampleBox(sample: ArrayLike<number>): Pick<LaneFigures, 'estimate' | 'quartiles' | 'runs'> {
  const runs = Array.from(sample).sort((a, b) => a - b);
  const [value, first, third] = [quantile(runs, 0.5), quantile(runs, 0.25), quantile(runs, 0.75)];
  if (runs.length < LEAST_BOX)
    return { estimate: { low: runs[0] ?? value, value, high: runs.at(-1) ?? value }, runs };
  const reach = 1.5 * (third - first);
  const isInside = (run: number) => run >= first - reach && run <= third + reach;
  const inside = runs.filter(isInside);
  return {
    estimate: { low: inside[0] ?? first, value, high: inside.at(-1) ?? third },
    quartiles: [first, third],
    runs: runs.filter((run) => !isInside(run)),
  };
}
