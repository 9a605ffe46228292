import { Readable } from 'node:stream';
import { createBenchmark } from '@bench-cli/core';

// Reads numbers that are available immediately, one by one. `generator` is the same loop without a stream.
// The sum of the numbers is checked.
createBenchmark(
  async ({ source, n }, bench) => {
    const numbers = function* () {
      for (let i = 0; i < n; i++) yield i;
    };
    const web = () => {
      let i = 0;
      return new ReadableStream({
        pull(controller) {
          if (i < n) controller.enqueue(i++);
          else controller.close();
        },
      });
    };
    const pushing = () => {
      let i = 0;
      return new Readable({
        objectMode: true,
        read() {
          this.push(i < n ? i++ : null);
        },
      });
    };
    const iterable = {
      readable: pushing,
      'readable-from': () => Readable.from(numbers()),
      web,
      generator: async function* () {
        yield* numbers();
      },
    }[source]();
    let sum = 0;
    bench.start();
    for await (const value of iterable) sum += value;
    bench.end(n);
    if (sum !== (n * (n - 1)) / 2) throw new Error('a number went astray');
  },
  { source: ['readable', 'readable-from', 'web', 'generator'], n: 6e5 },
);
