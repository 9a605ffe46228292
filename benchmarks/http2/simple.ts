import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { createBenchmark, PORT } from '@bench-cli/core';

// One operation is a small GET request over cleartext HTTP/2, one at a time or many in parallel on each connection.
createBenchmark(
  async ({ streams, clients, duration }, bench) => {
    const body = Buffer.alloc(64, 'x');
    const server = createServer();
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/plain' });
      stream.end(body);
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({
      protocol: 'http2',
      maxConcurrentStreams: streams,
      clients,
      duration,
      warmUpSeconds: 3,
    });
    server.close();
  },
  { streams: [1, 10, 100], clients: [1, 10], duration: 2 },
);
