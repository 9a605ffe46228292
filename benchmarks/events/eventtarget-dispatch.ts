import { createBenchmark } from '@bench-cli/core';

// An Event can be dispatched several times. `event=new` creates one for every dispatch, as programs do.
// The listeners count their calls, and the number of calls is checked.
createBenchmark(
  ({ event, listeners, n }, bench) => {
    const target = new EventTarget();
    let calls = 0;
    for (let k = 0; k < listeners; k++) {
      target.addEventListener('event', (received) => {
        if (received.type === 'event') calls++;
      });
    }
    if (event === 'new') {
      bench.start();
      for (let i = 0; i < n; i++) target.dispatchEvent(new Event('event'));
      bench.end(n);
    } else {
      const same = new Event('event');
      bench.start();
      for (let i = 0; i < n; i++) target.dispatchEvent(same);
      bench.end(n);
    }
    if (calls !== n * listeners) throw new Error(`${calls} calls for ${n} events`);
  },
  { event: ['new', 'same'], listeners: [1, 5, 10], n: 1.5e6 },
);
