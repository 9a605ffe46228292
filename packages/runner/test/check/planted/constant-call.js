import { createBenchmark } from '@bench-cli/core';

function add(a, b) {
  return a + b;
}
createBenchmark(
  (conf, bench) => {
    let last = 0;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      last = add(1, 2);
    }
    bench.end(conf.n);
    globalThis.last = last;
  },
  { n: 2e6 },
);
