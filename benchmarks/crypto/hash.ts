import { createHash } from 'node:crypto';
import { createBenchmark } from '@bench-cli/core';

// From 64 bytes, where creating the object dominates, to 64 kilobytes, where the algorithm does. This range is too wide for
// one loop count, so measure() chooses it. Each digest changes the next message, so that V8 cannot skip one.
createBenchmark(
  async ({ algorithm, len }, bench) => {
    const message = Buffer.alloc(len, 'x');
    await bench.measure(
      () => {
        const digest = createHash(algorithm).update(message).digest();
        message[0] = digest[0] ?? 0;
        return digest;
      },
      { durationMs: 400, warmupMs: 100 },
    );
  },
  { algorithm: ['md5', 'sha1', 'sha256', 'sha512', 'blake2b512'], len: [64, 1024, 65_536] },
);
