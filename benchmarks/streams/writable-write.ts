import { Writable } from 'node:stream';
import { createBenchmark } from '@bench-cli/core';

// Makes 16 writes and ends the stream, like a response that is written in pieces. `corked`: the pieces reach the sink
// together, if it has `writev`. The sink counts the bytes.
createBenchmark(
  async ({ sink, corked, kind, n }, bench) => {
    const chunk = kind === 'string' ? 'x'.repeat(256) : Buffer.alloc(256, 'x');
    let bytes = 0;
    const write = (data: Buffer, _encoding: BufferEncoding, done: () => void) => {
      bytes += data.length;
      setImmediate(done);
    };
    const writev = (all: { chunk: Buffer }[], done: () => void) => {
      for (const { chunk: data } of all) bytes += data.length;
      setImmediate(done);
    };
    const writable = new Writable({ write, highWaterMark: 65_536, ...(sink === 'writev' ? { writev } : {}) });
    bench.start();
    for (let written = 0; written < n; written += 16) {
      if (corked) writable.cork();
      for (let k = 1; k < 16; k++) writable.write(chunk);
      const last = new Promise((resolve) => writable.write(chunk, resolve));
      if (corked) writable.uncork();
      await last;
    }
    bench.end(n);
    if (bytes < n * 256) throw new Error(`${bytes} bytes, not ${n * 256}`);
  },
  { sink: ['write', 'writev'], corked: [0, 1], kind: ['buffer', 'string'], n: 3e5 },
);
