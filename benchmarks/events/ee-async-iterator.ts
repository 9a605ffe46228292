import { EventEmitter, on } from 'node:events';
import { createBenchmark } from '@bench-cli/core';

// An async iterator reads events. `waiting`: the reader waits for each event. `queued`: all events exist before it reads.
createBenchmark(
  async ({ order, n }, bench) => {
    const emitter = new EventEmitter();
    const events = on(emitter, 'event')[Symbol.asyncIterator]();
    let sum = 0;
    bench.start();
    if (order === 'queued') {
      for (let i = 0; i < n; i++) emitter.emit('event', i);
      for (let i = 0; i < n; i++) sum += (await events.next()).value?.[0];
    } else {
      for (let i = 0; i < n; i++) {
        const next = events.next();
        emitter.emit('event', i);
        sum += (await next).value?.[0];
      }
    }
    bench.end(n);
    if (sum !== (n * (n - 1)) / 2) throw new Error('an event was missed');
  },
  { order: ['waiting', 'queued'], n: 5e5 },
);
