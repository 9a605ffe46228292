import { StringDecoder } from 'node:string_decoder';
import { createBenchmark } from '@bench-cli/core';

// One operation decodes an input of `inLen` bytes that arrives in chunks of `chunkLen`, like the data of a stream. `n` is the
// number of chunks, so that every configuration takes about the same time: n=1000 with 8 chunks per input is 125 operations.
// One in three UTF-8 chunks ends inside a character. The sum of the lengths of all strings is checked.
createBenchmark(
  ({ encoding, inLen, chunkLen, n }, bench) => {
    const name = encoding === 'base64-ascii' || encoding === 'base64-utf8' ? 'base64' : encoding;
    const ascii = encoding === 'ascii' || encoding === 'base64-ascii';
    const text = ascii ? 'Blackberry pie, ' : 'Brombærkage, så sød; ';
    const input = Buffer.alloc(inLen, name === 'utf16le' ? ' \0' : ' ');
    // Contains only whole characters, so that the inputs can follow each other.
    input.write(text.repeat(inLen), name === 'utf16le' ? name : 'utf8');
    const chunks: Buffer[] = [];
    for (let start = 0; start < inLen; start += chunkLen)
      chunks.push(input.subarray(start, start + chunkLen));
    const operations = Math.ceil(n / chunks.length);
    const decoder = new StringDecoder(name);
    let length = 0;
    bench.start();
    for (let i = 0; i < operations; i++) {
      for (const chunk of chunks) length += decoder.write(chunk).length;
    }
    bench.end(operations);
    if (length + decoder.end().length === 0) throw new Error('nothing was decoded');
  },
  {
    encoding: ['ascii', 'utf8', 'base64-ascii', 'base64-utf8', 'utf16le'],
    inLen: [32, 128, 1024, 4096],
    chunkLen: [16, 64, 256, 1024],
    n: 6e5,
  },
);
