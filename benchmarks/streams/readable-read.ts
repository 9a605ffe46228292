import { Readable } from 'node:stream';
import { createBenchmark } from '@bench-cli/core';

// Calls read() on buffered data. `whole`: chunks as pushed. `part`: half a chunk, so that chunks are split. `joined`: two
// chunks at a time, so that they are copied into one. The number of bytes is checked.
createBenchmark(
  ({ size, len, n }, bench) => {
    const chunk = Buffer.alloc(len, 'x');
    const readable = new Readable({ highWaterMark: len * 64, read: () => {} });
    const amount = { whole: len, part: Math.ceil(len / 2), joined: len * 2 }[size];
    let bytes = 0;
    bench.start();
    for (let pushed = 0; pushed < n; pushed += 16) {
      for (let k = 0; k < 16; k++) readable.push(chunk);
      for (let data = readable.read(amount); data !== null; data = readable.read(amount))
        bytes += data.length;
    }
    bench.end(n);
    if (bytes < n * len) throw new Error(`${bytes} bytes, not ${n * len}`);
  },
  { size: ['whole', 'part', 'joined'], len: [64, 4096], n: 6e5 },
);
