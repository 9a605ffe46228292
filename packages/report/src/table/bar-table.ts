import { comparisonName } from '@bench-cli/stats';
import type { DetailedComparison } from '@bench-cli/stats';
import type { SampleSummary } from '@bench-cli/stats';
import { criticalT } from '@bench-cli/stats';
import { escapeAsR } from './cell.ts';
import { fixedPoint } from './fixed-point.ts';

/** Cells of the longest bar. */
const LONGEST = 40;

/**
 * Mean rates as bars of text with their 95 % intervals, two for each configuration, those of one configuration to
 * one scale.
 */
export function renderBarTable(comparisons: readonly DetailedComparison[]): string {
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
      return `${escapeAsR(comparisonName(comparison))}\n${lines.join('\n')}\n`;
    })
    .join('');
}

function bar(share: number): string {
  return '█'.repeat(Math.round(share * LONGEST)).padEnd(LONGEST, '·');
}

function label(sample: SampleSummary): string {
  const half = meanHalfWidth(sample);
  const share = half === null || sample.mean === 0 ? '' : ` ±${fixedPoint((half / sample.mean) * 100, 1)} %`;
  return `${rateText(sample.mean)} ops/s${share} (n=${sample.n})`;
}

/** Half the width of the 95 % interval of a mean (Student's t), operations per second; null for a single run. */
export function meanHalfWidth({ n, variance }: SampleSummary): number | null {
  return variance === null ? null : criticalT(0.05, n - 1) * Math.sqrt(variance / n);
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A rate with three significant digits: `4.72M`, `812k`, `12.5`. */
export function rateText(rate: number): string {
  const rounded = Number(rate.toPrecision(3));
  const [size, unit] = UNITS.find(([size]) => rounded >= size && rounded < size * 1000) ?? [1, ''];
  const inUnit = rounded / size;
  return inUnit !== 0 && (inUnit >= 1000 || inUnit < 0.001)
    ? rate.toExponential(2)
    : `${Number(inUnit.toPrecision(3))}${unit}`;
}
