import { createHash } from 'node:crypto';
import { createBenchmark } from '@bench-cli/core';

// From 64 bytes, where the making of the object counts, to 64 kilobytes, where the algorithm does: a range too wide for
// one loop count, so measure() chooses it. The digests feed the next message, so that each depends on the last.
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
