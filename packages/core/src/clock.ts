/** The smallest step between two different times that the clock reads, nanoseconds. */
export function stepOfClock(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < 5; trial++) {
    const before = process.hrtime.bigint();
    let after = before;
    while (after === before) after = process.hrtime.bigint();
    least = Math.min(least, Number(after - before));
  }
  return least;
}
