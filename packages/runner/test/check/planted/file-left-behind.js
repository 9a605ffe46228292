import { existsSync, writeFileSync } from 'node:fs';
import { createBenchmark } from '@bench-cli/core';

const busy = (rounds) => {
  let sum = 0;
  for (let k = 0; k < rounds; k++) sum = (sum * 31 + k) | 0;
  return sum;
};
createBenchmark(
  (conf, bench) => {
    bench.start();
    if (!existsSync('left-behind')) writeFileSync('left-behind', String(busy(5e7)));
    let sum = 0;
    for (let i = 0; i < conf.n; i++) sum += busy(1000);
    bench.end(conf.n);
    globalThis.sum = sum;
  },
  { n: 1e4 },
);
