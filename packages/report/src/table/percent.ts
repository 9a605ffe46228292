import { fixedPoint } from './fixed-point.ts';

/** A fraction in per cent, without the sign for it: `5.10`. */
export function percent(fraction: number, decimals = 2): string {
  return fixedPoint(fraction * 100, decimals);
}

/** The same with a plus in front of a gain: `+5.10`. */
export function signedPercent(fraction: number, decimals = 2): string {
  return `${fraction > 0 ? '+' : ''}${percent(fraction, decimals)}`;
}

/** Beyond this ratio the digits of a change mean nothing. */
const MOST_RATIO = 11;

/** A ratio as the change that it stands for: `+5.1 %`. */
export function ratioChange(ratio: number): string {
  if (ratio > MOST_RATIO) return `> +${(MOST_RATIO - 1) * 100} %`;
  return `${signedPercent(ratio - 1, 1)} %`;
}
