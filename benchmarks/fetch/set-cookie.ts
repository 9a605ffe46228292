import { createBenchmark } from '@bench-cli/core';

// Answers that set so many cookies: `append` makes their headers, `read` lists the cookies of headers that exist. `fetch()` does the
// first for each answer, a jar of cookies the second.
createBenchmark(
  ({ group, cookies, n }, bench) => {
    const values = Array.from(
      { length: cookies },
      (_, i) => `name-${i}=${'v'.repeat(16 + i)}; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax`,
    );
    const make = () => {
      const headers = new Headers();
      for (const value of values) headers.append('set-cookie', value);
      return headers;
    };
    const existing = make();
    const run = {
      append: () => (make().has('set-cookie') ? cookies : 0),
      read: () => existing.getSetCookie().length,
    }[group];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += run();
    bench.end(n);
    if (sum !== n * cookies) throw new Error(`found ${sum} of ${n * cookies} cookies`);
  },
  { append: { cookies: [1, 16], n: 5e4 }, read: { cookies: [1, 16], n: 1e6 } },
  { byGroups: true },
);
