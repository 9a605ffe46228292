import { createBenchmark } from '@bench-cli/core';
import { operations } from './_operations.mjs';

const names = Object.keys(operations);
/** Calls in one operation. One more is 20 %. */
const calls = 5;

createBenchmark(
  async ({ operation }, bench) => {
    const call = await operations[operation]();
    const times = calls + Number(process.env.PLANTED ?? 0);
    let last;
    await bench.measure(() => {
      for (let i = 0; i < times; i++) last = call();
      return last;
    });
  },
  { operation: names },
);
