import { EventEmitter, once } from 'node:events';
import { createBenchmark } from '@bench-cli/core';

// One operation waits for one event and emits it: with a listener that the code removes, with `emitter.once()`, or with a
// promise of the event. The sum of the numbers that the listeners got is checked.
createBenchmark(
  async ({ method, n }, bench) => {
    const emitter = new EventEmitter();
    let sum = 0;
    const add = (value: number) => {
      sum += value;
    };
    switch (method) {
      case 'on-off':
        bench.start();
        for (let i = 0; i < n; i++) {
          emitter.on('event', add);
          emitter.emit('event', i);
          emitter.off('event', add);
        }
        bench.end(n);
        break;
      case 'once':
        bench.start();
        for (let i = 0; i < n; i++) {
          emitter.once('event', add);
          emitter.emit('event', i);
        }
        bench.end(n);
        break;
      case 'promise':
        bench.start();
        for (let i = 0; i < n; i++) {
          const event = once(emitter, 'event');
          emitter.emit('event', i);
          const [value] = await event;
          sum += value;
        }
        bench.end(n);
    }
    if (sum !== (n * (n - 1)) / 2) throw new Error('an event was missed');
  },
  { method: ['on-off', 'once', 'promise'], n: 7e5 },
);
