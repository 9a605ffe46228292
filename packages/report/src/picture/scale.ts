import { roundRateText } from '../figure-text.ts';

export interface Scale {
  /** In per cent of the axis; below 0 or above 100 for values beyond the axis. */
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
  readonly textOf: (value: number) => string;
  /** The reference value: 0, where bars begin, or the ratio 1. Absent for rates on a logarithmic axis. */
  readonly origin: number | undefined;
}

/** A ratio, rate or time with its interval. An end of 0 or infinity means no limit. */
export interface Estimate {
  readonly low: number;
  readonly value: number;
  readonly high: number;
}

/** Space outside of the lowest and the highest value, in per cent of the axis. */
const EDGE = 6;

interface ScaleOptions {
  readonly isLogarithmic?: boolean;
  readonly origin?: number;
  readonly textOf?: (value: number) => string;
  readonly edge?: number;
}

/** An axis from the lowest to the highest value. Ticks outside are left out. */
export function scaleBetween(
  low: number,
  high: number,
  ticks: readonly number[],
  { isLogarithmic = false, origin, textOf = roundRateText, edge = EDGE }: ScaleOptions = {},
): Scale {
  const single = isLogarithmic ? [low / 2, low * 2] : [low - 1, low + 1];
  const [from = low, to = high] = low < high ? [low, high] : single;
  const size = (value: number) => (isLogarithmic ? Math.log(value) : value);
  const place = (value: number) =>
    edge + ((size(value) - size(from)) / (size(to) - size(from))) * (100 - 2 * edge);
  return { place, ticks: ticks.filter((value) => value >= from && value <= to), textOf, origin };
}

/** An axis between round values, without space outside of them. */
export function linearScale(low: number, high: number, textOf?: (value: number) => string): Scale {
  const step = roundStep((high - low || Math.abs(high) || 1) / 4);
  const ticks =
    high > low ? multiples(step, low, high) : multiples(step, Math.max(0, low - step / 2), high + step / 2);
  const [from = low, to = high] = [ticks[0], ticks.at(-1)];
  // Enough digits to make all texts distinct.
  const digits = Math.min(15, Math.ceil(Math.log10(Math.max(-from, to) / step + 1)) + 1);
  const roundText = (value: number) => roundRateText(value, digits);
  return scaleBetween(from, to, ticks, { origin: 0, edge: 0, textOf: textOf ?? roundText });
}

/** An axis of values above 0 on which equal distances are equal ratios. */
export function logarithmicScale(low: number, high: number): Scale {
  return scaleBetween(low, high, powers(low, high), { isLogarithmic: true });
}

/** Rates from 0, for bars, or on a logarithmic axis if they span more than a decade. */
export function rateScale(rates: readonly Estimate[], textOf?: (rate: number) => string): Scale {
  const { below, above } = reachOf(rates);
  return spansDecade(rates) ? logarithmicScale(1 / below, above) : linearScale(0, above, textOf);
}

export function spansDecade(estimates: readonly Estimate[]): boolean {
  const values = estimates.flatMap(({ value }) => (value > 0 ? [value] : []));
  return Math.max(...values) > 10 * Math.min(...values);
}

/** Up to this ratio and its inverse, ticks are in per cent. */
const MOST_IN_PERCENT = 1.5;
/** More steps in per cent would overlap on a phone. */
const MOST_STEPS = 5;
/** Smaller steps would make noise look like a change. */
const LEAST_STEP = 0.005;

/**
 * A logarithmic axis of ratios, fitted to each side of 1, with at least one tick beside 1. Texts are changes
 * in per cent if all ratios are small, else factors.
 */
export function ratioScale(ratios: readonly Estimate[], most = MOST_STEPS): Scale {
  const reach = reachOf(ratios);
  const [lowest, highest] = [Math.min(1, 1 / reach.below), Math.max(1, reach.above)];
  const isSmall = isInPercent(lowest) && isInPercent(highest);
  const step = Math.max(LEAST_STEP, roundStep((highest - lowest) / most));
  const ticks = isSmall
    ? multiples(step, lowest - 1 - step, highest - 1 + step).map((change) => 1 + change)
    : powers(lowest, highest);
  const isNarrow = ticks.filter((tick) => tick >= lowest && tick <= highest).length < 2;
  const before = ticks.findLast((tick) => tick < 1) ?? lowest;
  const after = ticks.find((tick) => tick > 1) ?? highest;
  const [from, to] = isNarrow ? [before, after] : [lowest, highest];
  const textOf = (ratio: number) => (isSmall && isInPercent(ratio) ? changeTick(ratio) : factorTick(ratio));
  return scaleBetween(from, to, ticks, { isLogarithmic: true, origin: 1, textOf });
}

function isInPercent(ratio: number): boolean {
  return Math.max(ratio, 1 / ratio) <= MOST_IN_PERCENT;
}

function changeTick(ratio: number): string {
  const percent = Number(((ratio - 1) * 100).toPrecision(3));
  return percent === 0 ? '0' : `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
}

function factorTick(ratio: number): string {
  if (ratio === 0 || ratio === 1) return String(ratio);
  return ratio > 1 ? `×${roundRateText(ratio)}` : `÷${roundRateText(1 / ratio)}`;
}

/** The inverse of the lowest end, and the highest end, without one of ten that is ten times the others. */
function reachOf(estimates: readonly Estimate[]) {
  return {
    below: farthest(estimates.map(({ low, value }) => 1 / (low > 0 ? low : value))),
    above: farthest(estimates.map(({ value, high }) => (high < Number.POSITIVE_INFINITY ? high : value))),
  };
}

function farthest(ends: readonly number[]): number {
  const ascending = ends.filter((end) => end > 0 && end < Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const others = ascending[ascending.length - 1 - Math.floor(ascending.length / 10)] ?? 1;
  return ascending.findLast((end) => end <= 10 * others) ?? 1;
}

/** The smallest 1, 2 or 5 times a power of ten that is at least a size. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= size) ?? 10 * power;
}

function multiples(step: number, from: number, to: number): readonly number[] {
  const first = Math.floor(from / step);
  const length = Math.ceil(to / step) - first + 1;
  return Array.from({ length }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** More powers would not fit on a phone. */
const MOST_POWERS = 6;

/** Powers of ten that cover two values, with twice and five times each if there are few. */
function powers(low: number, high: number): readonly number[] {
  const decades = Math.log10(high / low);
  const stride = Math.max(1, Math.ceil(decades / MOST_POWERS));
  const exponents = multiples(stride, Math.log10(low) - 1, Math.log10(high) + 1);
  const factors = decades <= 2.5 ? [1, 2, 5] : [1];
  return exponents.flatMap((exponent) => factors.map((factor) => Number(`${factor}e${exponent}`)));
}
