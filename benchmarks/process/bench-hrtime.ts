import { hrtime } from 'node:process';
import { createBenchmark } from '@bench-cli/core';

// The result of each call is the argument of the next, or replaces the last result. The benchmark checks that time passed.
createBenchmark(
  ({ n, type }, bench) => {
    const before = hrtime.bigint();
    let pair = hrtime();
    let nanoseconds = before;
    switch (type) {
      case 'raw':
        bench.start();
        for (let i = 0; i < n; i++) pair = hrtime();
        bench.end(n);
        nanoseconds = BigInt(pair[0]) * 1_000_000_000n + BigInt(pair[1]);
        break;
      case 'diff':
        bench.start();
        for (let i = 0; i < n; i++) pair = hrtime(pair);
        bench.end(n);
        nanoseconds += BigInt(pair[0] + pair[1]);
        break;
      case 'bigint':
        bench.start();
        for (let i = 0; i < n; i++) nanoseconds = hrtime.bigint();
        bench.end(n);
    }
    if (nanoseconds <= before) throw new Error('the clock stands still');
  },
  { n: 2e6, type: ['raw', 'diff', 'bigint'] },
);
