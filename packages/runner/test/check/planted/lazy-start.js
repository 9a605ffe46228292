import { createBenchmark } from '@bench-cli/core';

let made;
function table() {
  made ??= Array.from({ length: 1000 }, (_, at) => {
    let sum = at;
    for (let k = 0; k < 1e5; k++) sum = (sum * 31 + k) | 0;
    return sum;
  });
  return made;
}
createBenchmark(
  (conf, bench) => {
    let last;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      last = table()[i % 1000];
    }
    bench.end(conf.n);
    globalThis.last = last;
  },
  { n: 1e5 },
);
