import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const buffer = Buffer.alloc(conf.len, 'x');
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      if (conf.arg === 'true') buffer.toString('utf8');
      else buffer.toString();
    }
    bench.end(conf.n);
  },
  { arg: ['true', 'false'], len: [0, 1, 64, 1024], n: 1e6 },
);
