import { fixedPoint } from './fixed-point.ts';

/** R's `getOption("digits")`. */
const DIGITS = 7;

/**
 * Prints a column of numbers as R prints a column of a data frame: all with the same number of decimals, the
 * fewest that show each of them to 7 significant digits, or all in scientific notation where that is narrower.
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

interface Shape {
  /** Significant digits of the number when rounded to 7. */
  readonly significant: number;
  readonly exponent: number;
  /** Width of what is left of the point in fixed notation. */
  readonly wholeWidth: number;
  /** Width of all but the mantissa's decimals in scientific notation. */
  readonly prefixWidth: number;
}

function shapeOf(value: number): Shape {
  const sign = value < 0 ? 1 : 0;
  const [mantissa = '0', power = '0'] = Math.abs(value)
    .toExponential(DIGITS - 1)
    .split('e');
  const exponent = Number(power);
  const significant = mantissa.replace('.', '').replace(/0+$/, '').length || 1;
  const whole = exponent + 1 - (roundsUpOnlyHere(Math.abs(value), exponent) ? 1 : 0);
  return {
    significant,
    exponent,
    wholeWidth: sign + Math.max(1, whole),
    // A sign, a digit, and an exponent such as e+06; fixed notation is far wider where it has three digits.
    prefixWidth: sign + 1 + 4,
  };
}

/** Whether 7 digits round the value up to a power of ten that fixed notation does not reach. */
function roundsUpOnlyHere(magnitude: number, exponent: number): boolean {
  const decimals = Math.max(0, DIGITS - exponent);
  return exponent > 0 && exponent <= 22 && magnitude < 10 ** exponent - 0.5 / 10 ** decimals;
}

/** The largest of the numbers, at least 0. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function withPoint(decimals: number): number {
  return decimals === 0 ? 0 : decimals + 1;
}

function scientific(value: number, decimals: number): string {
  return value.toExponential(decimals).replace(/e([+-])(\d)$/, 'e$10$2');
}
