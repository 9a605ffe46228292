import { EventEmitter } from 'node:events';
import { createBenchmark } from '@bench-cli/core';

// The listeners are different functions, as in a program. Each counts its calls, and the number of calls is checked.
createBenchmark(
  ({ argc, listeners, n }, bench) => {
    const emitter = new EventEmitter().setMaxListeners(listeners);
    let calls = 0;
    for (let k = 0; k < listeners; k++) {
      emitter.on('event', (a = 0) => {
        calls += a === k ? 1 : 2;
      });
    }
    const args = Array.from({ length: argc }, (_, k) => -1 - k);
    const [a, b, c, d] = args;
    switch (argc) {
      case 0:
        bench.start();
        for (let i = 0; i < n; i++) emitter.emit('event');
        bench.end(n);
        break;
      case 1:
        bench.start();
        for (let i = 0; i < n; i++) emitter.emit('event', a);
        bench.end(n);
        break;
      case 4:
        bench.start();
        for (let i = 0; i < n; i++) emitter.emit('event', a, b, c, d);
        bench.end(n);
        break;
      default:
        bench.start();
        for (let i = 0; i < n; i++) emitter.emit('event', ...args);
        bench.end(n);
    }
    if (calls < n * listeners) throw new Error(`${calls} calls for ${n} events`);
  },
  { argc: [0, 1, 4], listeners: [1, 5, 10], n: 5e6 },
);
