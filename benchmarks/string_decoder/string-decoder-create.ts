import { StringDecoder } from 'node:string_decoder';
import { createBenchmark } from '@bench-cli/core';

// Encodings have several names, and resolving the name is most of the work. The last 16 decoders are kept, so that V8
// cannot skip the creation of a decoder.
createBenchmark(
  ({ encoding, n }, bench) => {
    const decoders = Array.from({ length: 16 }, () => new StringDecoder());
    bench.start();
    for (let i = 0; i < n; i++) decoders[i & 15] = new StringDecoder(encoding);
    bench.end(n);
    if (decoders[0]?.end() !== '') throw new Error('a new decoder has something left');
  },
  { encoding: ['ascii', 'utf8', 'utf-8', 'base64', 'hex', 'ucs2', 'utf-16le'], n: 2e6 },
);
