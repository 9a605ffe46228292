import { once } from 'node:events';
import { createServer } from 'node:https';
import { createBenchmark, PORT } from '@bench-cli/core';
import { generate } from 'selfsigned';

// One operation is a GET request over TLS whose response body comes from memory. Connections stay open, so this measures
// encryption, not handshakes.
createBenchmark(
  async ({ type, len, connections, duration }, bench) => {
    // Each run creates a certificate, so that it cannot expire. The load tools do not check it.
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
    });
    const text = 'x'.repeat(len);
    const body = type === 'buffer' ? Buffer.from(text) : text;
    const server = createServer({ key, cert }, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': len });
      response.end(body);
    });
    server.listen(PORT, '127.0.0.1');
    await once(server, 'listening');
    await bench.http({ scheme: 'https', connections, duration, warmUpSeconds: 3 });
    server.close();
  },
  { type: ['bytes', 'buffer'], len: [4, 1024, 102400], connections: 50, duration: 2 },
);
