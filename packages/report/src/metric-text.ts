import type { MetricDescription } from '@bench-cli/results/recording';
import { roundRateText } from './figure-text.ts';

const sizes = [1e9, 1e6, 1e3, 1];

const scales = new Map([
  ['B', ['GB', 'MB', 'kB', 'B']],
  ['ns', ['s', 'ms', 'µs', 'ns']],
]);

/** The heading of a metric: its meaning, and its name if that is another text. */
export function metricTitle({ name, title }: MetricDescription): string {
  return title === name ? name : `${title} (${name})`;
}

/** A value of a metric with three significant digits and its unit: `12.1 kB`, `3.2 µs`, `97 %`, `1.5k`. */
export function metricText(value: number, unit: string): string {
  const names = scales.get(unit);
  if (names === undefined) return `${roundRateText(value)} ${unit}`.trimEnd();
  const found = sizes.findIndex((size) => Math.abs(value) >= size);
  const at = found < 0 ? sizes.length - 1 : found;
  return `${Number((value / (sizes[at] ?? 1)).toPrecision(3))} ${names[at]}`;
}
