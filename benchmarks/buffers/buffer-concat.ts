import { createBenchmark } from '@bench-cli/core';

// `withTotalLength` saves the pass over the list that adds up the lengths.
// The sum of the last bytes of all results is checked.
createBenchmark(
  ({ pieces, pieceSize, withTotalLength, n }, bench) => {
    const list = Array.from({ length: pieces }, () => Buffer.alloc(pieceSize, 1));
    const total = pieces * pieceSize;
    let sum = 0;
    if (withTotalLength) {
      bench.start();
      for (let i = 0; i < n; i++) sum += Buffer.concat(list, total)[total - 1] ?? 0;
      bench.end(n);
    } else {
      bench.start();
      for (let i = 0; i < n; i++) sum += Buffer.concat(list)[total - 1] ?? 0;
      bench.end(n);
    }
    if (sum !== n) throw new Error(`${n - sum} results lack their last byte`);
  },
  { pieces: [4, 16], pieceSize: [1, 16, 256], withTotalLength: [0, 1], n: 5e5 },
);
