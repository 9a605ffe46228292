/**
 * A script that compares two implementations, shows how far it is, and prints what came out:
 *
 *     node examples/compare-implementations.ts
 */
import { compare } from '@bench-cli/core/runner';

const { comparisons, summary, failures } = await compare({
  old: { env: { SLUG: 'before' } },
  new: { env: { SLUG: 'after' } },
  items: ['slug'],
  cwd: import.meta.dirname,
  onEvent: (event) => {
    if (event.type !== 'decision') return;
    const { configuration, judgement } = event.decision;
    console.log(`${JSON.stringify(configuration)}: clear after ${judgement.runs} runs`);
  },
});

for (const { configuration, verdict, interval } of comparisons) {
  const percent = (fraction: number) => `${(fraction * 100).toFixed(0)} %`;
  const range = interval === null ? '' : ` by ${percent(interval.low)} to ${percent(interval.high)}`;
  console.log(`text=${configuration['text']}: ${verdict}${range}`);
}
console.log(summary);
if (failures.length > 0) process.exitCode = 1;
