import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBenchmark, PORT } from '@bench-cli/core';

// One operation is a GET request whose response has no Content-Length: every write becomes a chunk of the chunked transfer
// coding.
createBenchmark(
  async ({ chunks, len, connections, duration }, bench) => {
    const chunk = Buffer.alloc(len, 'x');
    const server = createServer((_request, response) => {
      for (let i = 0; i < chunks; i++) response.write(chunk);
      response.end();
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({ connections, duration, warmUpSeconds: 3 });
    server.close();
  },
  { chunks: [1, 4, 16], len: [1, 64, 1024], connections: 50, duration: 2 },
);
