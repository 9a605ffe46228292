import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      Math.sqrt(2) + i;
    }
    bench.end(conf.n);
  },
  { n: 2e6 },
);
