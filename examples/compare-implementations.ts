/**
 * A script that compares two implementations, shows its progress, and prints the verdicts:
 *
 *     node examples/compare-implementations.ts
 */

import { compare, summarize } from '@bench-cli/cli';

const { comparisons, list, names, failures } = await compare({
  old: { env: { SLUG: 'before' } },
  new: { env: { SLUG: 'after' } },
  items: ['slug'],
  cwd: import.meta.dirname,
  onEvent: (event) => {
    if (event.type !== 'decision') return;
    const { configuration, judgement } = event.decision;
    console.log(`${JSON.stringify(configuration)}: ${judgement.reason}`);
  },
});

for (const { configuration, verdict, ratio } of comparisons) {
  const percent = (times: number) => `${((times - 1) * 100).toFixed(0)} %`;
  const range = ratio === null ? '' : ` by ${percent(ratio.low)} to ${percent(ratio.high)}`;
  console.log(`text=${configuration['text']}: ${verdict}${range}`);
}
console.log(summarize({ list, names }));
if (failures.length > 0) process.exitCode = 1;
