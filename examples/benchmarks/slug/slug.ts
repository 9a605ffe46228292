import { createBenchmark } from '@bench-cli/core';

/** The environment variable SLUG of the subject selects the implementation. */
const { slug }: typeof import('../../slug/after.ts') = await import(
  `../../slug/${process.env['SLUG'] ?? 'after'}.ts`
);

const texts = {
  short: 'Hello, World',
  long: 'The quick brown fox jumps over the lazy dog, and back again. '.repeat(20),
};

createBenchmark(
  ({ text, n }, bench) => {
    const title = texts[text];
    let length = 0;
    bench.start();
    for (let i = 0; i < n; i++) length += slug(title).length;
    bench.end(n);
    if (length === 0) throw new Error('the slugs were empty');
  },
  { text: ['short', 'long'], n: [2e3] },
);
