import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBenchmark, PORT } from '@bench-cli/core';

// One operation is a small GET request, on a persistent connection or on a new one. Only wrk can measure a server that
// closes every connection: autocannon sends its next request before it sees the close, and counts that as a failure.
createBenchmark(
  async ({ keepAlive, connections, duration }, bench) => {
    const body = Buffer.alloc(64, 'x');
    const server = createServer((_request, response) => {
      response.shouldKeepAlive = keepAlive === 'yes';
      response.writeHead(200, { 'Content-Length': body.length });
      response.end(body);
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({
      connections,
      duration,
      warmUpSeconds: 3,
      ...(keepAlive === 'no' && { benchmarker: 'wrk' }),
    });
    server.close();
  },
  { keepAlive: ['yes', 'no'], connections: [1, 50], duration: 2 },
);
