import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, deflate, gunzip, gzip, inflate } from 'node:zlib';
import { createBenchmark } from '@bench-cli/core';

// Compresses whole texts in the thread pool, one after the other. This is the time that one request waits, with percentiles.
createBenchmark(
  async ({ operation, algorithm, len }, bench) => {
    const { pack, unpack } = {
      gzip: { pack: promisify<Buffer, Buffer>(gzip), unpack: promisify<Buffer, Buffer>(gunzip) },
      deflate: { pack: promisify<Buffer, Buffer>(deflate), unpack: promisify<Buffer, Buffer>(inflate) },
      brotli: {
        pack: promisify<Buffer, Buffer>(brotliCompress),
        unpack: promisify<Buffer, Buffer>(brotliDecompress),
      },
    }[algorithm];
    // Neither random noise nor a repeated word.
    let text = '';
    for (let i = 0; text.length < len; i++) text += `line ${i}: item ${(i * 7919) % 1013} of ${i % 17}\n`;
    const plain = Buffer.from(text.slice(0, len));
    const packed = await pack(plain);
    if (!(await unpack(packed)).equals(plain)) throw new Error('what was unpacked is not what was packed');
    await bench.measure(operation === 'compress' ? () => pack(plain) : () => unpack(packed), {
      durationMs: 400,
      warmupMs: 100,
    });
  },
  {
    operation: ['compress', 'decompress'],
    algorithm: ['gzip', 'deflate', 'brotli'],
    len: [1024, 8192],
  },
);
