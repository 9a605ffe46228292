const activity: { readonly nowNs: () => bigint } | undefined = Reflect.get(
  globalThis,
  Symbol.for('bench-cli.activity'),
);

/** The clock of this process before a benchmark could replace it by fake timers. Nanoseconds. */
export const nowNs: () => bigint = activity?.nowNs ?? process.hrtime.bigint.bind(process.hrtime);

/** A measured part of fewer steps of the clock is too short for it. */
const FEWEST_STEPS = 1000;

/** The smallest step between two different times that the clock reads, nanoseconds. */
export function stepOfClock(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < 5; trial++) {
    const before = nowNs();
    let after = before;
    while (after === before) after = nowNs();
    least = Math.min(least, Number(after - before));
  }
  return least;
}

/** The step of the clock, if a measured part is too short for it. */
export function coarseStep(elapsedNs: bigint): { readonly clockStepNs: number } | undefined {
  const clockStepNs = stepOfClock();
  return elapsedNs < clockStepNs * FEWEST_STEPS ? { clockStepNs } : undefined;
}
