import { env } from 'node:process';
import { createBenchmark } from '@bench-cli/core';

const variables = 64;

// Every access searches the environment list of the C library. A list of 64 variables replaces it, so that it is the same
// on every machine. `delete` removes a variable that does not exist, because creating one each time would be measured as
// well. The sum of what was read is checked.
createBenchmark(
  ({ n, operation }, bench) => {
    for (const name of Object.keys(env)) delete env[name];
    for (let i = 0; i < variables; i++) env[`BENCH_VARIABLE_${i}`] = `value ${i}`;
    // Each name in turn, in another order than that of the list.
    const names = Array.from({ length: variables }, (_, i) => `BENCH_VARIABLE_${(i * 37) % variables}`);
    const values = Array.from({ length: variables }, (_, i) => `another value ${i}`);
    const mask = variables - 1;
    let sum = 0;
    switch (operation) {
      case 'get':
        bench.start();
        for (let i = 0; i < n; i++) sum += env[names[i & mask] ?? '']?.length ?? 0;
        bench.end(n);
        break;
      case 'set':
        bench.start();
        for (let i = 0; i < n; i++) env[names[i & mask] ?? ''] = values[i & mask];
        bench.end(n);
        sum = Object.values(env).filter((value) => value?.startsWith('another')).length;
        break;
      case 'enumerate': {
        // One of these operations costs as much as a hundred of the others.
        const operations = Math.ceil(n / 100);
        bench.start();
        for (let i = 0; i < operations; i++) sum += Object.keys(env).length;
        bench.end(operations);
        break;
      }
      case 'query':
        bench.start();
        for (let i = 0; i < n; i++) if ((names[i & mask] ?? '') in env) sum++;
        bench.end(n);
        break;
      case 'delete':
        bench.start();
        for (let i = 0; i < n; i++) if (delete env[values[i & mask] ?? '']) sum++;
        bench.end(n);
    }
    if (sum === 0) throw new Error('the environment was not used');
  },
  { n: 4e5, operation: ['get', 'set', 'enumerate', 'query', 'delete'] },
);
