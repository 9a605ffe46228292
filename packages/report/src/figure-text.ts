import { type OfCommand, shortened } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';

/** The texts of figures in tables, sentences, plots and the page, also in the browser. */

type Ends = { readonly low: number; readonly high: number };

/** In place of a figure that there is not. CSV and the columns of compare.R have `NA`. */
export const NONE = '–';

const UNITS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A rate with a fixed number of significant digits: `4.70 M`, `812 k`, `12.5`. */
export function rateText(rate: number, digits = 3): string {
  const { inUnit, unit } = scaled(rate, digits);
  return inUnit === 0 ? '0' : `${fixedDigits(rate, inUnit, digits)} ${unit}`.trimEnd();
}

/** A rate with four digits for an aligned column: `385.7 k`, `4.720 M`, `12.50  `. */
export function rateInUnit(rate: number): string {
  const { inUnit, unit } = scaled(rate, 4);
  return `${fixedDigits(rate, inUnit, 4)} ${unit || ' '}`;
}

/** An interval of rates: `385.7 to 402.1 k`, `980.1 k to 1.020 M`, `0.6083 to 1.252 k`. */
export function rateRange({ low, high }: Ends, digits = 4): string {
  const [from = '', to = ''] = [low, high].map((rate) => rateText(rate, digits));
  const [size, unit] = UNITS.find(([, unit]) => to.endsWith(unit)) ?? [1, ''];
  if (unit === '') return `${from} to ${to}`;
  if (from.endsWith(unit)) return `${from.slice(0, -2)} to ${to}`;
  // Without a unit of its own, the low end would be read in that of the high end.
  return `${/[a-z]$/i.test(from) || low === 0 ? from : fixedDigits(low, low / size, digits)} to ${to}`;
}

function fixedDigits(rate: number, inUnit: number, digits: number): string {
  return isOutside(inUnit) ? rate.toExponential(digits - 1) : inUnit.toPrecision(digits);
}

/** The milliseconds of a whole command from its runs per second: `107.2`. */
export function millisecondsText(rate: number): string {
  return (1000 / rate).toFixed(1);
}

/** A mean rate with its unit, or the mean time of a whole command: `4.70 M ops/s`, `107.2 ms`. */
export function speedText(mean: number, { isCommand }: OfCommand, digits = 3): string {
  return isCommand ? `${millisecondsText(mean)} ms` : `${rateText(mean, digits)} ops/s`;
}

/** A rate without trailing zeros, for an axis: `200`, `4.7 M`. */
export function roundRateText(rate: number, digits = 3): string {
  const { inUnit, unit } = scaled(rate, digits);
  if (isOutside(inUnit)) return rate.toExponential(digits - 1);
  return `${Number(inUnit.toPrecision(digits))} ${unit}`.trimEnd();
}

function scaled(rate: number, digits: number): { readonly inUnit: number; readonly unit: string } {
  const rounded = Number(rate.toPrecision(digits));
  const [size, unit] = UNITS.find(([size]) => rounded >= size && rounded < size * 1000) ?? [1, ''];
  return { inUnit: rounded / size, unit };
}

function isOutside(inUnit: number): boolean {
  return inUnit !== 0 && (inUnit >= 1000 || inUnit < 0.001);
}

/**
 * A number with a fixed number of decimals, like C's `%.*f`. C and R round a tie such as 0.125 to the even
 * neighbour; `toFixed` rounds it away from zero.
 */
export function fixedPoint(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const scale = 10 ** decimals;
  // A tie has so few binary digits that the products and the difference are exact.
  const isTie = Number.isInteger(value * 2 ** (decimals + 1)) && Math.abs(value * scale) % 1 === 0.5;
  if (!isTie) return text;
  return ((2 * Math.round((value * scale) / 2)) / scale).toFixed(decimals);
}

/** A fraction in per cent: `5.10`. */
export function percent(fraction: number, decimals = 2): string {
  return fixedPoint(fraction * 100, decimals);
}

/** A fraction in per cent with a plus sign for a gain: `+5.10`. */
export function signedPercent(fraction: number, decimals = 2): string {
  return `${fraction > 0 ? '+' : ''}${percent(fraction, decimals)}`;
}

/** A fraction with two significant digits and all digits of the whole part: `5.1 %`, `123 %`. */
export function shortPercent(fraction: number): string {
  const value = fraction * 100;
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))} %`;
}

/** The least size of a change, without its sign and rounded down: `4.8 %`, `123 %`, `147 times`. */
export function leastPercent(fraction: number): string {
  // Removes the rounding error of doubles, which can be just below a round number.
  const value = Number(Math.abs(fraction * 100).toPrecision(12));
  if (value > (MOST_RATIO - 1) * 100) return `${Math.floor(value / 100 + 1).toLocaleString('en')} times`;
  return `${value >= 10 ? Math.floor(value) : twoDigitsDown.format(value)} %`;
}

const twoDigitsDown = new Intl.NumberFormat('en', { maximumSignificantDigits: 2, roundingMode: 'trunc' });

/** Larger ratios are shown as factors. */
const MOST_RATIO = 11;

/** A ratio that is too large for a change in per cent: `147 times`. */
export function manyTimes(ratio: number): string | undefined {
  return ratio > MOST_RATIO
    ? `${ratio.toLocaleString('en', { maximumSignificantDigits: 3 })} times`
    : undefined;
}

/** A ratio as a change: `+5.1 %`, or `147 times`. */
export function ratioChange(ratio: number): string {
  return manyTimes(ratio) ?? `${signedPercent(ratio - 1, 1)} %`;
}

/** A ratio of a comparison as a change; a dash if there is none. */
export function changeText(ratio: { readonly ratio: number } | null): string {
  return ratio === null ? NONE : ratioChange(ratio.ratio);
}

/** The interval of a ratio as changes: `+4.2 % to +6.0 %`; `unknown` if it is unlimited. */
export function changeRange(ratio: Ends | null): string {
  if (ratio !== null && ratio.low < 1 && ratio.high > MOST_RATIO) return 'unknown';
  return ratio === null ? NONE : `${changeEnd(ratio.low)} to ${changeEnd(ratio.high)}`;
}

function changeEnd(end: number): string {
  return manyTimes(end) ?? `${end > 1 ? '+' : ''}${apartFrom(0, (end - 1) * 100, 1)} %`;
}

/** The interval of a ratio: `0.982 to 1.004`; a dash if there is none. */
export function timesRange(ratio: Ends | null): string {
  return ratio === null ? NONE : `${apartFrom(1, ratio.low, 3)} to ${apartFrom(1, ratio.high, 3)}`;
}

/** The end of an interval. Has more decimals if it would otherwise contradict the verdict by rounding. */
export function apartFrom(noDifference: number, end: number, decimals: number): string {
  const text = fixedPoint(end, decimals);
  const isHidden = Number(text) === noDifference && Math.abs(end - noDifference) > 1e-9;
  return isHidden ? apartFrom(noDifference, end, decimals + 1) : text;
}

/** A ratio with three decimals: `1.051`. */
export function timesText(ratio: number | undefined): string {
  return ratio === undefined ? NONE : fixedPoint(ratio, 3);
}

/** A p-value with two significant digits; `<1e-16` below the precision of doubles. */
export function pValue(p: number | null | undefined): string {
  if (p === null || p === undefined) return NONE;
  if (p < 1e-16) return '<1e-16';
  return p < 0.001 ? p.toExponential(1) : p.toPrecision(2);
}

/** Hexadecimal digits that identify a commit in most repositories. */
const COMMIT_DIGITS = 10;
const VERSION_LETTERS = 20;

/** The first digits of a commit, or the start and the end of the name of a version. */
export function commitText(commit: string): string {
  return /^[0-9a-f]{12,}$/.test(commit) ? commit.slice(0, COMMIT_DIGITS) : shortened(commit, VERSION_LETTERS);
}

const sizes = [1e9, 1e6, 1e3, 1];

const scales = new Map([
  ['B', ['GB', 'MB', 'kB', 'B']],
  ['ns', ['s', 'ms', 'µs', 'ns']],
]);

export function metricTitle({ name, title }: MetricDescription): string {
  return title === name ? name : `${title} (${name})`;
}

/** A value of a metric with three significant digits and its unit: `12.1 kB`, `3.20 µs`, `97 %`, `1.5 k`. */
export function metricText(value: number, unit: string): string {
  const names = scales.get(unit);
  if (names === undefined) return `${roundRateText(value)} ${unit}`.trimEnd();
  // What would be rounded to 1000 has the next unit.
  const size = sizes.find((each) => Math.abs(value) >= 0.9995 * each) ?? 1;
  const digits = (value / size).toPrecision(3);
  // From 1000 of the largest unit on, `digits` has an exponent.
  return `${size === 1 || value >= 1000 * size ? Number(digits) : digits} ${names[sizes.indexOf(size)]}`;
}
