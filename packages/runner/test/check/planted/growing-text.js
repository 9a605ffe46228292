import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    let text = '';
    let bytes = 0;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      text += 'abcdefgh';
      bytes += Buffer.from(text).length;
    }
    bench.end(conf.n);
    globalThis.bytes = bytes;
  },
  { n: 4000 },
);
