import { fixedPoint } from '../figure-text.ts';

/** R's `getOption("digits")`. */
const DIGITS = 7;

/**
 * Formats a column of numbers as R prints a column of a data frame: with the smallest common number of decimals that shows
 * each number with 7 significant digits, or in scientific notation if that is narrower.
 *
 * Source: `formatReal` and `scientific` in R's src/main/format.c.
 */
export function formatRColumn(values: readonly (number | null)[]): string[] {
  const shapes = values.filter((value) => value !== null).map(shapeOf);
  const decimals = largest(shapes.map((shape) => shape.significant - shape.exponent - 1));
  const mantissaDecimals = largest(shapes.map((shape) => shape.significant - 1));
  const wholeWidth = largest(shapes.map((shape) => shape.wholeWidth));
  const fixedWidth = wholeWidth + withPoint(decimals);
  const scientificWidth = largest(shapes.map((shape) => shape.prefixWidth)) + withPoint(mantissaDecimals);
  const print =
    fixedWidth <= scientificWidth
      ? (value: number) => fixedPoint(value, decimals)
      : (value: number) => scientific(value, mantissaDecimals);
  return values.map((value) => (value === null ? 'NA' : print(value)));
}

function shapeOf(value: number) {
  const sign = value < 0 ? 1 : 0;
  const [mantissa = '0', power = '0'] = Math.abs(value)
    .toExponential(DIGITS - 1)
    .split('e');
  const exponent = Number(power);
  const significant = mantissa.replace('.', '').replace(/0+$/, '').length || 1;
  const whole = exponent + 1 - (roundsUpOnlyHere(Math.abs(value), exponent) ? 1 : 0);
  return {
    /** Significant digits of the number after rounding to 7. */
    significant,
    exponent,
    /** Width of the part before the point in fixed notation. */
    wholeWidth: sign + Math.max(1, whole),
    // Width in scientific notation without the decimals of the mantissa: a sign, a digit, and an exponent such as e+06.
    // With an exponent of three digits, fixed notation is always wider.
    prefixWidth: sign + 1 + 4,
  };
}

/** Whether rounding to 7 digits gives a power of ten that rounding to decimals does not give. */
function roundsUpOnlyHere(magnitude: number, exponent: number): boolean {
  const decimals = Math.max(0, DIGITS - exponent);
  return exponent > 0 && exponent <= 22 && magnitude < 10 ** exponent - 0.5 / 10 ** decimals;
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function withPoint(decimals: number): number {
  return decimals === 0 ? 0 : decimals + 1;
}

function scientific(value: number, decimals: number): string {
  return value.toExponential(decimals).replace(/e([+-])(\d)$/, 'e$10$2');
}
