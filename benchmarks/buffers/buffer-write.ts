import { createBenchmark } from '@bench-cli/core';

const size = 4096;

// One operation writes one value at the next aligned offset. Values and offsets change with every write, and the final
// content of the buffer is checked, so that V8 cannot skip a write.
createBenchmark(
  ({ method, n }, bench) => {
    const buffer = Buffer.alloc(size);
    const words = Array.from({ length: 256 }, (_, i) => `word${i + 1000}`);
    const integers = BigInt64Array.from({ length: 256 }, (_, i) => BigInt(i + 1) ** 7n);
    const write = {
      writeUInt8: (i: number) => buffer.writeUInt8(i & 255, i % size),
      writeUInt32LE: (i: number) => buffer.writeUInt32LE(i, (i * 4) % size),
      writeInt32BE: (i: number) => buffer.writeInt32BE(-i, (i * 4) % size),
      writeDoubleLE: (i: number) => buffer.writeDoubleLE(i + 0.5, (i * 8) % size),
      writeBigInt64BE: (i: number) => buffer.writeBigInt64BE(integers[i & 255] ?? 0n, (i * 8) % size),
      utf8: (i: number) => buffer.write(words[i & 255] ?? '', (i * 8) % size),
      latin1: (i: number) => buffer.write(words[i & 255] ?? '', (i * 8) % size, 'latin1'),
    }[method];
    let offsets = 0;
    bench.start();
    for (let i = 1; i <= n; i++) offsets += write(i);
    bench.end(n);
    if (offsets === 0 || buffer.every((byte) => byte === 0)) throw new Error('nothing was written');
  },
  {
    method: [
      'writeUInt8',
      'writeUInt32LE',
      'writeInt32BE',
      'writeDoubleLE',
      'writeBigInt64BE',
      'utf8',
      'latin1',
    ],
    n: 1.2e7,
  },
);
