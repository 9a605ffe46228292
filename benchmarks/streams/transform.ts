import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBenchmark } from '@bench-cli/core';

// Sends objects through `depth` transforms that each add one. The sum of the results is checked. `answer`: the transform
// calls back immediately, or in the next tick, like a transform that waits for something.
createBenchmark(
  async ({ depth, answer, n }, bench) => {
    const transforms = Array.from(
      { length: depth },
      () =>
        new Transform({
          objectMode: true,
          transform(value, _encoding, done) {
            if (answer === 'tick') process.nextTick(done, null, value + 1);
            else done(null, value + 1);
          },
        }),
    );
    let sent = 0;
    let sum = 0;
    const source = new Readable({
      objectMode: true,
      read() {
        this.push(sent < n ? sent++ : null);
      },
    });
    const sink = new Writable({
      objectMode: true,
      write(value, _encoding, done) {
        sum += value;
        done();
      },
    });
    bench.start();
    await pipeline([source, ...transforms, sink]);
    bench.end(n);
    if (sum !== (n * (n - 1)) / 2 + n * depth) throw new Error('a value went astray');
  },
  { depth: [1, 4], answer: ['at-once', 'tick'], n: 2e5 },
);
