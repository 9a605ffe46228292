/**
 * A number with that many decimals, as C's `%.*f` prints it. `toFixed` rounds a tie such as 0.125 away from zero;
 * C, and with it R, rounds it to the even neighbour.
 */
export function fixedPoint(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const scale = 10 ** decimals;
  // A tie has so few binary digits that the products and the difference are exact.
  const isTie = Number.isInteger(value * 2 ** (decimals + 1)) && Math.abs(value * scale) % 1 === 0.5;
  if (!isTie) return text;
  return ((2 * Math.round((value * scale) / 2)) / scale).toFixed(decimals);
}
