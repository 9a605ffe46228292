import type { MetricDescription } from '@bench-cli/results/recording';
import { roundRateText } from './figure-text.ts';

type Unit = MetricDescription['unit'];

const scales: Readonly<Record<Unit, readonly (readonly [size: number, name: string])[]>> = {
  B: [
    [1e9, ' GB'],
    [1e6, ' MB'],
    [1e3, ' kB'],
    [1, ' B'],
  ],
  ns: [
    [1e9, ' s'],
    [1e6, ' ms'],
    [1e3, ' µs'],
    [1, ' ns'],
  ],
  '': [],
};

/** A value of a metric with three significant digits and its unit: `12.1 kB`, `3.2 µs`, `1.5k`. */
export function metricText(value: number, unit: Unit): string {
  const scale = scales[unit].find(([size]) => Math.abs(value) >= size) ?? scales[unit].at(-1);
  if (scale === undefined) return roundRateText(value);
  const [size, name] = scale;
  return `${Number((value / size).toPrecision(3))}${name}`;
}
