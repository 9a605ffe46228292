import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBenchmark, PORT } from '@bench-cli/core';

// Measures headers: the server reads those of requests, and sets those of responses one by one. One operation is a request
// whose response has no body.
createBenchmark(
  async ({ direction, headers, len, connections, duration }, bench) => {
    const lines = Array.from(
      { length: headers },
      (_, i) => [`x-header-${i}`, `${i}`.padEnd(len, 'v')] as const,
    );
    const [requested, answered] = direction === 'request' ? [lines, []] : [[], lines];
    const server = createServer((request, response) => {
      // A response outside 2xx fails the run.
      if (Object.keys(request.headers).length < requested.length) response.statusCode = 400;
      for (const [name, value] of answered) response.setHeader(name, value);
      response.end();
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({ connections, duration, warmUpSeconds: 3, headers: Object.fromEntries(requested) });
    server.close();
  },
  {
    fewHeaders: {
      direction: ['request', 'response'],
      headers: [2, 8],
      len: 16,
      connections: 50,
      duration: 2,
    },
    manyHeaders: {
      direction: ['request', 'response'],
      headers: 50,
      len: [1, 100],
      connections: 50,
      duration: 2,
    },
  },
  { byGroups: true },
);
