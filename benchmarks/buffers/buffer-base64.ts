import { createBenchmark } from '@bench-cli/core';

// Decoding includes the allocation of the buffer, and encoding that of the string. The sum of the lengths of all results is
// checked. The bytes use the whole alphabet. `mime` has a line break after every 76 characters.
createBenchmark(
  ({ operation, encoding, len, n }, bench) => {
    const bytes = Buffer.from(Uint8Array.from({ length: len }, (_, i) => (i * 167 + 13) & 255));
    const name = encoding === 'base64url' ? 'base64url' : 'base64';
    const plain = bytes.toString(name);
    const text = encoding === 'mime' ? plain.replace(/.{76}/g, '$&\r\n') : plain;
    let length = 0;
    if (operation === 'encode') {
      bench.start();
      for (let i = 0; i < n; i++) length += bytes.toString(name).length;
      bench.end(n);
    } else {
      bench.start();
      for (let i = 0; i < n; i++) length += Buffer.from(text, name).length;
      bench.end(n);
    }
    const expected = n * (operation === 'encode' ? plain.length : len);
    if (length !== expected) throw new Error(`results of length ${length}, not ${expected}`);
  },
  {
    operation: ['encode', 'decode'],
    encoding: ['base64', 'base64url', 'mime'],
    len: [64, 2048],
    n: 8e5,
  },
  // The encoder writes no line breaks.
  { combinationFilter: ({ operation, encoding }) => operation === 'decode' || encoding !== 'mime' },
);
