const loops = 60;
const lines = 16_384;

/**
 * How much short loops vary, which all do the same: their standard deviation, a fraction. A loop of
 * arithmetic shows what disturbs the CPU itself, and one that reads 1 MiB in random order also what others do
 * to caches and memory. They take about a third of a second.
 */
export function measureNoise() {
  const memory = new Int32Array(lines * 16);
  // Odd steps visit all lines; caches cannot foresee the product.
  for (let line = 0; line < lines; line++) memory[line * 16] = ((line * 5077 + 12_345) % lines) * 16;
  const walk = () => {
    let at = 0;
    for (let step = 0; step < 8 * lines; step++) at = memory[at] ?? 0;
    return at;
  };
  const count = () => {
    let value = 1;
    for (let step = 0; step < 1_500_000; step++) value = (Math.imul(value, 69_069) + 1) | 0;
    return value;
  };
  return { arithmetic: spreadOf(timesOf(count)), memory: spreadOf(timesOf(walk)) };
}

/** Nanoseconds of each loop, after some that compile the code. */
function timesOf(run: () => number): readonly number[] {
  let sum = 0;
  for (let warmUp = 0; warmUp < 10; warmUp++) sum += run();
  const times = Array.from({ length: loops }, () => {
    const startedAt = process.hrtime.bigint();
    sum += run();
    return Number(process.hrtime.bigint() - startedAt);
  });
  // The result of the loops is used, so that V8 cannot remove them.
  return Number.isNaN(sum) ? [] : times;
}

function spreadOf(times: readonly number[]): number {
  const mean = times.reduce((total, time) => total + time, 0) / times.length;
  const squares = times.reduce((total, time) => total + (time - mean) ** 2, 0);
  return Math.sqrt(squares / (times.length - 1)) / mean;
}
