import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createBenchmark } from '@bench-cli/core';

const batch = 16;

// What a server does with the headers of requests and of its own answers. The client is a bare socket that sends
// requests it made before, sixteen at a time, and counts the bytes of the answers, so that most of the time is the
// server's.
createBenchmark(
  async ({ headers, len, direction, n }, bench) => {
    const values = Array.from({ length: headers }, (_, i) => [`x-header-${i}`, `${i}`.padEnd(len, 'v')]);
    const answer = { 'content-length': '0', ...(direction === 'response' ? Object.fromEntries(values) : {}) };
    let received = 0;
    const server = createServer((request, response) => {
      received += Object.keys(request.headers).length;
      response.sendDate = false;
      response.writeHead(200, answer);
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const socket = connect(address.port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');

    const lines = direction === 'request' ? values.map(([name, value]) => `${name}: ${value}\r\n`) : [];
    const request = `GET / HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`;
    const requests = Buffer.from(request.repeat(batch));
    // All answers have the same length, which a first one tells. They have no body, so the empty line is their end.
    socket.write(request);
    let first = '';
    while (!first.includes('\r\n\r\n')) first += String(await once(socket, 'data'));
    const expected = first.length * batch;

    const batches = Math.ceil(n / batch);
    const operations = batches * batch;
    received = 0;
    let batchesDone = 0;
    let bytes = 0;
    const done = new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        bytes += data.length;
        if (bytes < expected) return;
        bytes = 0;
        batchesDone++;
        if (batchesDone < batches) socket.write(requests);
        else resolve();
      });
    });
    bench.start();
    socket.write(requests);
    await done;
    bench.end(operations);
    socket.destroy();
    server.close();
    if (received < operations) throw new Error('a request was lost');
  },
  {
    fewHeaders: { headers: [2, 8], len: 16, direction: ['request', 'response'], n: 8e3 },
    manyHeaders: { headers: 50, len: [1, 100], direction: ['request', 'response'], n: 4e3 },
  },
  { byGroups: true },
);
