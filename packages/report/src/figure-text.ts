/** The text of figures. Tables, sentences, plots and the page, also in the browser, show figures by these functions. */

const UNITS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A rate: `4.72M`, `812k`, `12.5`. @param digits significant digits */
export function rateText(rate: number, digits = 3): string {
  const rounded = Number(rate.toPrecision(digits));
  const [size, unit] = UNITS.find(([size]) => rounded >= size && rounded < size * 1000) ?? [1, ''];
  const inUnit = rounded / size;
  return inUnit !== 0 && (inUnit >= 1000 || inUnit < 0.001)
    ? rate.toExponential(digits - 1)
    : `${Number(inUnit.toPrecision(digits))}${unit}`;
}

/** A rate with four digits, so that a column of rates is easy to compare: `385.7 k`, `4.720 M`, `12.50`. */
export function rateInUnit(rate: number): string {
  const rounded = Number(rate.toPrecision(4));
  const [size, unit] = UNITS.find(([size]) => rounded >= size && rounded < size * 1000) ?? [1, ' '];
  const inUnit = rounded / size;
  const isOutside = inUnit !== 0 && (inUnit >= 1000 || inUnit < 0.001);
  return `${isOutside ? rate.toExponential(3) : inUnit.toPrecision(4)} ${unit}`;
}

/**
 * A number with a fixed number of decimals, like C's `%.*f`. `toFixed` rounds a tie such as 0.125 away from zero; C, and so
 * also R, rounds it to the even neighbour.
 */
export function fixedPoint(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const scale = 10 ** decimals;
  // A tie has so few binary digits that the products and the difference are exact.
  const isTie = Number.isInteger(value * 2 ** (decimals + 1)) && Math.abs(value * scale) % 1 === 0.5;
  if (!isTie) return text;
  return ((2 * Math.round((value * scale) / 2)) / scale).toFixed(decimals);
}

/** A fraction in per cent, without the per cent sign: `5.10`. */
export function percent(fraction: number, decimals = 2): string {
  return fixedPoint(fraction * 100, decimals);
}

/** A fraction in per cent, with a plus sign for a gain and without the per cent sign: `+5.10`. */
export function signedPercent(fraction: number, decimals = 2): string {
  return `${fraction > 0 ? '+' : ''}${percent(fraction, decimals)}`;
}

/** A fraction with two significant digits and all digits of the whole part: `5.1 %`, `123 %`. */
export function shortPercent(fraction: number): string {
  const value = fraction * 100;
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))} %`;
}

/** The digits of a change are not shown above this ratio. */
const MOST_RATIO = 11;

/** A ratio as a change: `+5.1 %`. */
export function ratioChange(ratio: number): string {
  if (ratio > MOST_RATIO) return `> +${(MOST_RATIO - 1) * 100} %`;
  return `${signedPercent(ratio - 1, 1)} %`;
}

/** A p-value with two significant digits; `<1e-16` below the precision of doubles. */
export function pValue(p: number | null | undefined): string {
  if (p === null || p === undefined) return 'NA';
  if (p < 1e-16) return '<1e-16';
  return p < 0.001 ? p.toExponential(1) : p.toPrecision(2);
}

/**
 * Leaves out the middle of a text that is too long. The end stays as long as the start, because it tells more names apart.
 * @param size the size of a text, by which it may not be longer than `most`; default: characters
 */
export function shortened(text: string, most: number, size: (text: string) => number = characters): string {
  if (size(text) <= most) return text;
  const all = Array.from(text);
  const tail = takeWhileFits(all.toReversed(), Math.ceil((most - 1) / 2), size).reverse();
  const head = takeWhileFits(all, most - 1 - size(tail.join('')), size);
  return `${head.join('')}…${tail.join('')}`;
}

function characters(text: string): number {
  return Array.from(text).length;
}

function takeWhileFits(all: readonly string[], most: number, size: (text: string) => number): string[] {
  const taken: string[] = [];
  for (let used = 0; ; ) {
    const next = all[taken.length];
    if (next === undefined) return taken;
    used += size(next);
    if (used > most) return taken;
    taken.push(next);
  }
}
