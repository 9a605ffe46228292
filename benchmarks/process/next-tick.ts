import { createBenchmark } from '@bench-cli/core';

// Ways to defer a callback. `depth`: each callback schedules the next. `breadth`: a thousand callbacks wait at a time.
createBenchmark(
  async ({ method, shape, n }, bench) => {
    const schedule = { nextTick: process.nextTick, queueMicrotask, setImmediate }[method];
    const width = shape === 'depth' ? 1 : Math.min(n, 1000);
    const { promise, resolve } = deferred();
    let scheduled = width;
    let called = 0;
    const callback = () => {
      called++;
      if (scheduled < n) {
        scheduled++;
        schedule(callback);
      } else if (called === n) {
        bench.end(n);
        resolve();
      }
    };
    bench.start();
    for (let i = 0; i < width; i++) schedule(callback);
    await promise;
  },
  { method: ['nextTick', 'queueMicrotask', 'setImmediate'], shape: ['depth', 'breadth'], n: 2e6 },
  {
    // With depth, setImmediate measures the turns of the event loop.
    combinationFilter: ({ method, shape }) => method !== 'setImmediate' || shape === 'breadth',
  },
);

/** Promise.withResolvers, which Node 18 lacks. */
function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
