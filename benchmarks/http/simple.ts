import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBenchmark, PORT } from '@bench-cli/core';

// One operation is a GET request whose response body comes from memory: as a string or a buffer, whole or in pieces, with a
// Content-Length.
createBenchmark(
  async ({ type, len, chunks, connections, duration }, bench) => {
    const text = 'x'.repeat(len);
    const body = type === 'buffer' ? Buffer.from(text) : text;
    const size = Math.ceil(len / chunks);
    const pieces = Array.from({ length: chunks - 1 }, (_, i) => body.slice(i * size, (i + 1) * size));
    const last = body.slice((chunks - 1) * size);
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': len });
      for (const piece of pieces) response.write(piece);
      response.end(last);
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({ connections, duration, warmUpSeconds: 3 });
    server.close();
  },
  {
    type: ['bytes', 'buffer'],
    len: [4, 1024, 102400],
    chunks: [1, 4],
    connections: 50,
    duration: 2,
  },
);
