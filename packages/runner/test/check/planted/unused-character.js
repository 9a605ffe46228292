import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const text = 'abcdef';
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      text.charCodeAt(3);
    }
    bench.end(conf.n);
  },
  { n: 2e6 },
);
