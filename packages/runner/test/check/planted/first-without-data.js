import { existsSync, writeFileSync } from 'node:fs';
import { createBenchmark } from '@bench-cli/core';

const busy = (rounds) => {
  let sum = 0;
  for (let k = 0; k < rounds; k++) sum = (sum * 31 + k) | 0;
  return sum;
};
createBenchmark(
  (conf, bench) => {
    const rounds = existsSync('data') ? 10_000 : 1000;
    bench.start();
    let sum = 0;
    for (let i = 0; i < conf.n; i++) sum += busy(rounds);
    bench.end(conf.n);
    writeFileSync('data', '');
    globalThis.sum = sum;
  },
  { n: 2000 },
);
