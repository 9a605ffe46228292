import { createBenchmark } from '@bench-cli/core';

// The searched text occurs once, at the end. Its first character is frequent, so that skipping from one such character to
// the next does not help. The sum of the positions is checked.
createBenchmark(
  ({ needle, method, len, n }, bench) => {
    const word = { short: 'ab', long: 'abcdefghijklmnop' }[needle];
    const at = len;
    const haystack = Buffer.from(`${'a quick fox '.repeat(len).slice(0, len)}${word}`);
    const buffer = Buffer.from(word);
    const search = {
      string: () => haystack.indexOf(word),
      buffer: () => haystack.indexOf(buffer),
      last: () => haystack.lastIndexOf(word),
      includes: () => (haystack.includes(word) ? at : -1),
    }[method];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += search();
    bench.end(n);
    if (sum !== n * at) throw new Error(`found at ${sum / n} on average, not at ${at}`);
  },
  { needle: ['short', 'long'], method: ['string', 'buffer', 'last', 'includes'], len: [64, 1024], n: 6e5 },
);
