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
