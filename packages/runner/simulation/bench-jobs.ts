import { simulateLanes, type TimedCase } from './virtual-lanes.ts';

/**
 * Simulates sessions with `--jobs` in virtual time, and prints how long they take with 1 to 64 jobs. The cases have durations that
 * differ as those of real suites: most runs take a tenth of a second, some a second.
 */
const cases = 120;

/** The quantiles of an exponential distribution in a fixed order that mixes them. */
function spread(index: number, of: number): number {
  const place = ((index * 47) % of) + 0.5;
  return -Math.log(1 - place / of);
}

const timed: readonly TimedCase[] = Array.from({ length: cases }, (_, index) => ({
  roundMs: 2 * (50 + 100 * spread(index, cases)),
  rounds: Math.min(36, 3 + Math.round(9 * spread(index + 31, cases))),
}));
const fixed = timed.map((each) => ({ ...each, rounds: 30 }));

for (const [name, sample, isAdaptive] of [
  ['--runs 30', fixed, false],
  ['--runs auto', timed, true],
] as const) {
  const one = (await simulateLanes(sample, 1, isAdaptive)).durationMs;
  process.stdout.write(`\n${cases} configurations, ${name}\n\n`);
  process.stdout.write('jobs    time s   1/time   evenly divided s   longest configuration s\n');
  for (const count of [1, 2, 4, 8, 16, 32, 64]) {
    const { durationMs, evenMs, longestCaseMs } = await simulateLanes(sample, count, isAdaptive);
    const columns = [
      String(count).padStart(5),
      (durationMs / 1000).toFixed(1).padStart(8),
      (one / durationMs).toFixed(1).padStart(8),
      (evenMs / 1000).toFixed(1).padStart(18),
      (longestCaseMs / 1000).toFixed(1).padStart(25),
    ];
    process.stdout.write(`${columns.join(' ')}\n`);
  }
}
