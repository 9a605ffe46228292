import { Duplex, PassThrough, Readable, Transform, Writable } from 'node:stream';
import { createBenchmark } from '@bench-cli/core';

// Creates streams that are never used. The last 16 are kept, so that V8 cannot skip the creation of a stream.
createBenchmark(
  ({ kind, n }, bench) => {
    const nothing = () => {};
    const create = {
      readable: () => new Readable({ read: nothing }),
      writable: () => new Writable({ write: nothing }),
      duplex: () => new Duplex({ read: nothing, write: nothing }),
      transform: () => new Transform({ transform: nothing }),
      passthrough: () => new PassThrough(),
      'readable-stream': () => new ReadableStream(),
      'writable-stream': () => new WritableStream(),
      'transform-stream': () => new TransformStream(),
    }[kind];
    const kept = Array.from({ length: 16 }, () => create());
    const [before] = kept;
    bench.start();
    for (let i = 0; i < n; i++) kept[i & 15] = create();
    bench.end(n);
    if (kept[0] === before) throw new Error('no stream was made');
  },
  {
    node: { kind: ['readable', 'writable', 'duplex', 'transform', 'passthrough'], n: 7e5 },
    web: { kind: ['readable-stream', 'writable-stream', 'transform-stream'], n: 3e4 },
  },
  { byGroups: true },
);
