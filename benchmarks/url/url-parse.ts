import { parse } from 'node:url';
import { createBenchmark } from '@bench-cli/core';

const type = ['short', 'long', 'auth', 'idn', 'file', 'escapes'] as const;

// Uses 16 URLs of each kind in turn. The sum of the lengths of the results is checked: the length of `href`, which both
// parsers create while they parse, or 1 for a URL that can be parsed. The international names are outside Latin-1, because
// canParse() of Node 20 and 22 can return a wrong result for Latin-1 letters once V8 has optimized its caller.
createBenchmark(
  ({ type, method, n }, bench) => {
    const url = {
      short: (i: number) => `https://nodejs.org/en/blog/${i}`,
      long: (i: number) =>
        `https://registry.example.org:8443/a/very/long/path/${'segment/'.repeat(12)}${i}?one=1&two=2&three=3#part-${i}`,
      auth: (i: number) => `https://user:pass${i}@example.org/private?key=${i}`,
      idn: (i: number) => `https://пример-${i}.example/путь/к/файлу`,
      file: (i: number) => `file:///home/user/project/src/module-${i}.ts`,
      escapes: (i: number) => `https://example.org/a path/with "quotes"/{${i}}?q=<${i}>#"end"`,
    }[type];
    const urls = Array.from({ length: 16 }, (_, i) => url(i));
    const length = {
      whatwg: (text: string) => new URL(text).href.length,
      legacy: (text: string) => parse(text).href.length,
      canParse: (text: string) => (URL.canParse(text) ? 1 : 0),
    }[method];
    const expected = length(urls[0] ?? '');
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += length(urls[i & 15] ?? '');
    bench.end(n);
    if (sum < n * expected) throw new Error('a URL was not parsed');
  },
  { parse: { type, method: ['whatwg', 'legacy'], n: 2.6e5 }, check: { type, method: 'canParse', n: 1e6 } },
  // The legacy parser prints a deprecation warning.
  { byGroups: true, flags: ['--no-deprecation'] },
);
