import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBenchmark } from '@bench-cli/core';

// One operation is a request over a kept connection, and its answer, one after the other. The server is in the process of setup, so
// that it has its own event loop and is the same for all subjects.
const server = createServer((request, response) => {
  request.resume().once('end', () => response.end('x'.repeat(Number(request.headers['x-length']))));
});

createBenchmark(
  async ({ method, len, n }, bench) => {
    const url = `http://127.0.0.1:${process.env['FETCH_PORT']}/`;
    const body = method === 'POST' ? 'x'.repeat(len) : null;
    const send = async () => {
      const response = await fetch(url, { method, body, headers: { 'x-length': String(len) } });
      return (await response.text()).length;
    };
    for (let i = 0; i < n / 10; i++) await send();
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += await send();
    bench.end(n);
    if (sum !== n * len) throw new Error(`received ${sum} of ${n * len} bytes`);
  },
  { method: ['GET', 'POST'], len: [16, 65536], n: 2000 },
  {
    async setup() {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      process.env['FETCH_PORT'] = String(typeof address === 'object' ? address?.port : '');
    },
    teardown() {
      server.close();
      server.closeAllConnections();
    },
  },
);
