import { EventEmitter } from 'node:events';
import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const emitter = new EventEmitter();
    emitter.setMaxListeners(0);
    let calls = 0;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      emitter.on('a', () => calls++);
      emitter.emit('a');
    }
    bench.end(conf.n);
  },
  { n: 4000 },
);
