import { createBenchmark } from '@bench-cli/core';

// One operation makes a MessageEvent and dispatches it to one listener, as a WebSocket does for each message.
createBenchmark(
  ({ init, n }, bench) => {
    const target = new EventTarget();
    let received = 0;
    target.addEventListener('message', (event) => {
      if (event instanceof MessageEvent && event.data === 'text') received++;
    });
    const options = {
      data: { data: 'text' },
      all: { data: 'text', origin: 'wss://example.org', lastEventId: '1', source: null, ports: [] },
    }[init];
    bench.start();
    for (let i = 0; i < n; i++) target.dispatchEvent(new MessageEvent('message', options));
    bench.end(n);
    if (received !== n) throw new Error(`${received} of ${n} messages`);
  },
  { init: ['data', 'all'], n: 1e5 },
);
