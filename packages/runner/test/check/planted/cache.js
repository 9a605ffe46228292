import { createBenchmark } from '@bench-cli/core';

const cache = new Map();
function lookup(key) {
  if (!cache.has(key)) {
    let sum = 0;
    for (let k = 0; k < 1e6; k++) sum = (sum * 31 + k + key) | 0;
    cache.set(key, sum);
  }
  return cache.get(key);
}
createBenchmark(
  (conf, bench) => {
    let last;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      last = lookup(i % 100);
    }
    bench.end(conf.n);
    globalThis.last = last;
  },
  { n: 2e4 },
);
