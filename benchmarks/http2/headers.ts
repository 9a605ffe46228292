import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { createBenchmark, PORT } from '@bench-cli/core';

// Measures headers of requests and responses over HTTP/2. HPACK sends headers that the connection has seen before as numbers,
// as far as they fit into its table of 4 KiB. One operation is a request whose response has no body.
createBenchmark(
  async ({ direction, headers, streams, clients, duration }, bench) => {
    const lines = Object.fromEntries(
      Array.from({ length: headers }, (_, i) => [`x-header-${i}`, `${i}`.padEnd(16, 'v')]),
    );
    const [requested, answered] = direction === 'request' ? [lines, {}] : [{}, lines];
    const count = Object.keys(requested).length;
    const server = createServer();
    server.on('stream', (stream: ServerHttp2Stream, received) => {
      // A response outside 2xx fails the run.
      const status = Object.keys(received).length < count ? 400 : 200;
      stream.respond({ ':status': status, ...answered }, { endStream: true });
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({
      protocol: 'http2',
      headers: requested,
      maxConcurrentStreams: streams,
      clients,
      duration,
      warmUpSeconds: 3,
    });
    server.close();
  },
  { direction: ['request', 'response'], headers: [1, 10, 100], streams: 20, clients: 2, duration: 2 },
);
