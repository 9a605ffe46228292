import { createBenchmark } from '@bench-cli/core';

// A view of an ArrayBuffer copies nothing. All other sources are copied. The operation includes the allocation.
// The sum of one byte of each buffer is checked, so that V8 cannot skip the creation of a buffer.
createBenchmark(
  ({ source, len, n }, bench) => {
    const bytes = Uint8Array.from({ length: len }, (_, i) => 97 + (i % 26));
    const buffer = Buffer.from(bytes);
    const array = Array.from(bytes);
    const text = buffer.toString('latin1');
    const base64 = buffer.toString('base64');
    const make = {
      array: () => Buffer.from(array),
      arraybuffer: () => Buffer.from(bytes.buffer),
      uint8array: () => Buffer.from(bytes),
      buffer: () => Buffer.from(buffer),
      utf8: () => Buffer.from(text),
      base64: () => Buffer.from(base64, 'base64'),
    }[source];
    const last = len - 1;
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += make()[last] ?? 0;
    bench.end(n);
    if (sum !== n * (bytes[last] ?? 0)) throw new Error('a buffer has not the bytes of its source');
  },
  { source: ['array', 'arraybuffer', 'uint8array', 'buffer', 'utf8', 'base64'], len: [16, 1024], n: 1.4e6 },
);
