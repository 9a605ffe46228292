import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBenchmark } from '@bench-cli/core';

// One operation is one chunk of a kilobyte, or one object, from a source that has it immediately to a sink that accepts it
// immediately. The sink counts the chunks.
createBenchmark(
  async ({ method, mode, n }, bench) => {
    const objectMode = mode === 'object';
    const chunk = objectMode ? { id: 1 } : Buffer.alloc(1024, 'x');
    let sent = 0;
    let received = 0;
    const source = new Readable({
      objectMode,
      read() {
        this.push(sent++ < n ? chunk : null);
      },
    });
    const sink = new Writable({
      objectMode,
      write(data, _encoding, done) {
        if (data === chunk) received++;
        done();
      },
    });
    bench.start();
    if (method === 'pipeline') await pipeline(source, sink);
    else await new Promise((resolve) => source.pipe(sink).on('finish', resolve));
    bench.end(n);
    if (received !== n) throw new Error(`${received} chunks, not ${n}`);
  },
  { method: ['pipe', 'pipeline'], mode: ['bytes', 'object'], n: 8e5 },
);
