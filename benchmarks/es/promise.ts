import { createBenchmark } from '@bench-cli/core';

// One operation gets one number that is already available: by a plain call, by `await` of the number, of a promise, or of
// an async function that itself awaits, or by `then`. The sum of the numbers is checked.
createBenchmark(
  async ({ method, n }, bench) => {
    const inner = async (i: number) => i;
    const outer = async (i: number) => await inner(i);
    let sum = 0;
    switch (method) {
      case 'await-value':
        bench.start();
        for (let i = 0; i < n; i++) sum += await i;
        bench.end(n);
        break;
      case 'await-promise':
        bench.start();
        for (let i = 0; i < n; i++) sum += await Promise.resolve(i);
        bench.end(n);
        break;
      case 'await-nested':
        bench.start();
        for (let i = 0; i < n; i++) sum += await outer(i);
        bench.end(n);
        break;
      case 'then':
        bench.start();
        await new Promise<void>((resolve) => {
          const step = (i: number) => {
            sum += i;
            if (i + 1 < n) Promise.resolve(i + 1).then(step);
            else resolve();
          };
          step(0);
        });
        bench.end(n);
        break;
      case 'all':
        bench.start();
        for (let i = 0; i < n; i += 10) {
          const numbers = await Promise.all(
            Array.from({ length: Math.min(10, n - i) }, (_, k) => inner(i + k)),
          );
          for (const number of numbers) sum += number;
        }
        bench.end(n);
    }
    if (sum !== (n * (n - 1)) / 2) throw new Error('a number went astray');
  },
  { method: ['await-value', 'await-promise', 'await-nested', 'then', 'all'], n: 1.2e6 },
);
