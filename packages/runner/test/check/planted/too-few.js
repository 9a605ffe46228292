import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const text = '{"a":1}';
    let sum = 0;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      sum += JSON.parse(text).a;
    }
    bench.end(conf.n);
    globalThis.sum = sum;
  },
  { n: 10 },
);
