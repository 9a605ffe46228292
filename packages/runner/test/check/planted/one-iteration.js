import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    let last;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      last = Buffer.from('abc');
    }
    bench.end(conf.n);
    globalThis.last = last;
  },
  { n: 1 },
);
