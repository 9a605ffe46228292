import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBenchmark, PORT } from '@bench-cli/core';

// Ways to respond over HTTP/2: on the stream, through the HTTP/1 compatibility API, and from an open file. One operation is
// a GET request.
createBenchmark(
  async ({ method, len, streams, clients, duration }, bench) => {
    const body = Buffer.alloc(len, 'x');
    const directory = await mkdtemp(join(tmpdir(), 'bench-respond-'));
    const path = join(directory, 'body');
    await writeFile(path, body);
    const file = await open(path);
    // The open descriptor is sufficient, and no file is left if this process is killed.
    await rm(directory, { recursive: true });

    const server = createServer();
    if (method === 'stream') {
      server.on('stream', (stream: ServerHttp2Stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/plain' });
        stream.end(body);
      });
    } else if (method === 'compat') {
      server.on('request', (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.end(body);
      });
    } else {
      server.on('stream', (stream: ServerHttp2Stream) => {
        stream.respondWithFD(file.fd, { ':status': 200, 'content-type': 'text/plain' });
      });
    }
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
    await file.close();
  },
  { method: ['stream', 'compat', 'file'], len: [64, 65536], streams: 20, clients: 2, duration: 2 },
);
