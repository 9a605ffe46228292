import { createBenchmark } from '@bench-cli/core';

const property = ['href', 'host', 'pathname', 'search', 'hash'] as const;
const values = {
  href: { even: 'https://even.example.org/path?query#hash', odd: 'http://odd.example.com:81/' },
  host: { even: 'even.example.org:81', odd: 'odd.example.com' },
  pathname: { even: '/an/even/path', odd: '/odd' },
  search: { even: '?even=1&value=2', odd: '?odd=3' },
  hash: { even: '#even', odd: '#an-odd-one' },
};

// A read extracts a part of the parsed URL, and a write builds a new URL. Uses 16 URLs in turn, and two values in turn, so
// that every write changes something. The sum of the lengths of what was read is checked.
createBenchmark(
  ({ group, property, n }, bench) => {
    const url = (i: number) =>
      new URL(`https://user:pass@host-${i}.example.org:8080/a/path/to/${i}?query=${i}#fragment-${i}`);
    const first = url(0);
    const urls = Array.from({ length: 16 }, (_, i) => url(i));
    const { even, odd } = values[property];
    let length = 0;
    if (group === 'get') {
      bench.start();
      for (let i = 0; i < n; i++) length += (urls[i & 15] ?? first)[property].length;
      bench.end(n);
    } else {
      bench.start();
      for (let i = 0; i < n; i++) (urls[i & 15] ?? first)[property] = i & 16 ? odd : even;
      bench.end(n);
      for (const url of urls) length += url[property].length;
    }
    if (length === 0) throw new Error('the property is empty');
  },
  { get: { property, n: 1.5e7 }, set: { property, n: 4e5 } },
  { byGroups: true },
);
