import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    let sum = 0;
    const work = () => {
      for (let k = 0; k < 1000; k++) sum = (sum * 31 + k) | 0;
    };
    bench.start();
    for (let i = 0; i < 5000; i++) work();
    bench.end(conf.n);
    globalThis.sum = sum;
  },
  { n: 100 },
);
