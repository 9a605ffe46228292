import { EventEmitter } from 'node:events';
import { createBenchmark } from '@bench-cli/core';

// One operation adds ten listeners and removes them again. If one listener stays, the event keeps its list of listeners.
// Otherwise the list is created and deleted each time. `watched`: the emitter has a listener for `newListener`.
createBenchmark(
  ({ stays, watched, order, n }, bench) => {
    const emitter = new EventEmitter().setMaxListeners(20);
    let added = 0;
    if (watched) {
      emitter.on('newListener', () => {
        added++;
      });
    }
    if (stays) emitter.on('event', () => {});
    // Each element is a different function.
    const listeners = Array.from({ length: 10 }, (_, k) => () => k);
    const removed = order === 'first-in' ? listeners : listeners.slice().reverse();
    bench.start();
    for (let i = 0; i < n; i++) {
      for (const listener of listeners) emitter.on('event', listener);
      for (const listener of removed) emitter.off('event', listener);
    }
    bench.end(n);
    if (emitter.listenerCount('event') !== stays) throw new Error('a listener was left');
    if (watched && added < n) throw new Error('newListener was not emitted');
  },
  { stays: [0, 1], watched: [0, 1], order: ['first-in', 'last-in'], n: 2e5 },
);
