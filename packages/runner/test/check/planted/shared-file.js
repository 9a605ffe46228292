import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createBenchmark } from '@bench-cli/core';

const busy = (rounds) => {
  let sum = 0;
  for (let k = 0; k < rounds; k++) sum = (sum * 31 + k) | 0;
  return sum;
};
createBenchmark(
  (conf, bench) => {
    const rounds = existsSync('rounds') ? Number(readFileSync('rounds', 'utf8')) : conf.rounds;
    bench.start();
    let sum = 0;
    for (let i = 0; i < conf.n; i++) sum += busy(rounds);
    bench.end(conf.n);
    writeFileSync('rounds', String(conf.rounds));
    globalThis.sum = sum;
  },
  { rounds: [10, 100, 1000, 10000], n: 2000 },
);
