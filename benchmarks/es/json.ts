import { createBenchmark } from '@bench-cli/core';

// Eight texts or values of each kind in turn. The sum of the lengths of the texts, or of one part of each value, is checked.
createBenchmark(
  ({ operation, payload, n }, bench) => {
    const item = {
      // A log line.
      small: (i: number) => [
        {
          level: 'info',
          time: 1_700_000_000 + i,
          message: `request ${i}`,
          ok: true,
          tags: ['http', 'get'],
          size: 512,
        },
      ],
      // An API response: records of the same shape.
      records: (i: number) =>
        Array.from({ length: 10 }, (_, k) => ({
          id: k,
          name: `name ${k + i}`,
          active: k % 2 === 0,
          score: k / 7,
        })),
      numbers: (i: number) => Array.from({ length: 40 }, (_, k) => (k * 7919 + i) / 64),
      // Quotes and line breaks must be escaped, and other characters need two bytes.
      strings: (i: number) => Array.from({ length: 10 }, (_, k) => `a "quoted"\nlïne ${k + i} `.repeat(4)),
      nested: (i: number) => [
        Array.from({ length: 14 }).reduce((inner) => ({ inner, list: [i] }), { inner: null }),
      ],
    }[payload];
    const values = Array.from({ length: 8 }, (_, i) => ({ items: item(i) }));
    const texts = values.map((value) => JSON.stringify(value));
    let length = 0;
    if (operation === 'parse') {
      bench.start();
      for (let i = 0; i < n; i++) length += JSON.parse(texts[i & 7] ?? '').items.length;
      bench.end(n);
    } else {
      bench.start();
      for (let i = 0; i < n; i++) length += JSON.stringify(values[i & 7]).length;
      bench.end(n);
    }
    if (length < n) throw new Error('a result is empty');
  },
  {
    operation: ['parse', 'stringify'],
    payload: ['small', 'records', 'numbers', 'strings', 'nested'],
    n: 2.5e5,
  },
);
