import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const kept = [];
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      kept.push({ at: i, text: [i, i] });
    }
    bench.end(conf.n);
    globalThis.kept = kept;
  },
  { n: 1500 },
);
