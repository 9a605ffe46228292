import { createBenchmark } from '@bench-cli/core';

// One operation makes a Request, without sending it.
createBenchmark(
  ({ type, n }, bench) => {
    const url = 'https://example.org/a/path?query=1';
    const { signal } = new AbortController();
    const headers = { accept: 'application/json', 'x-id': '1' };
    const first = new Request(url, { headers });
    const make = {
      url: () => new Request(url),
      headers: () => new Request(url, { headers }),
      body: () => new Request(url, { method: 'POST', body: 'text' }),
      signal: () => new Request(url, { signal }),
      clone: () => first.clone(),
    }[type];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += make().url.length;
    bench.end(n);
    if (sum !== n * url.length) throw new Error('a request has another URL');
  },
  { type: ['url', 'headers', 'body', 'signal', 'clone'], n: 2e4 },
);
