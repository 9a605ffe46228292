import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const kept = [];
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      kept[i] = { next: kept[i - 1], call: () => i };
    }
    bench.end(conf.n);
    globalThis.kept = kept;
  },
  { n: 1500 },
);
