import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const numbers = Array.from({ length: 1e5 }, (_, at) => (at * 7919) % 300007);
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      numbers.sort((a, b) => a - b);
    }
    bench.end(conf.n);
    globalThis.numbers = numbers;
  },
  { n: 3 },
);
