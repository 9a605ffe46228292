import { createBenchmark } from '@bench-cli/core';

// One operation adds `listeners` listeners and removes them again. An EventTarget searches for a duplicate at each addition.
// At the end, a dispatch checks that no listener is left.
createBenchmark(
  ({ listeners, n }, bench) => {
    const target = new EventTarget();
    let calls = 0;
    const callbacks = Array.from({ length: listeners }, (_, k) => () => {
      calls += k + 1;
    });
    bench.start();
    for (let i = 0; i < n; i++) {
      for (const callback of callbacks) target.addEventListener('event', callback);
      for (const callback of callbacks) target.removeEventListener('event', callback);
    }
    bench.end(n);
    target.dispatchEvent(new Event('event'));
    if (calls !== 0) throw new Error('a listener was left');
  },
  { listeners: [1, 5, 10], n: 4e5 },
);
