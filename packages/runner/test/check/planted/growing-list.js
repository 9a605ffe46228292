import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const list = [];
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      list.push(i);
      if (list.includes(-1)) throw new Error('no');
    }
    bench.end(conf.n);
  },
  { n: 4000 },
);
