import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { createBenchmark } from '@bench-cli/core';

// TCP within one process: a source is piped into a connection, whose other end discards the bytes or pipes them back. One
// operation is a chunk of `len` bytes that arrives at the counter.
createBenchmark(
  async ({ server: kind, len, n }, bench) => {
    const chunk = Buffer.alloc(len, 'x');
    const expected = len * n;
    let received = 0;
    let arrived = () => {};
    const allArrived = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const count = (data: Buffer) => {
      received += data.length;
      if (received >= expected) arrived();
    };
    const server = createServer((socket) => {
      if (kind === 'echo') socket.pipe(socket);
      else socket.on('data', count);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    if (kind === 'echo') socket.on('data', count);
    let sent = 0;
    const source = new Readable({
      read() {
        this.push(sent++ < n ? chunk : null);
      },
    });

    bench.start();
    source.pipe(socket);
    await allArrived;
    bench.end(n);
    server.close();
    if (received !== expected) throw new Error(`${received} bytes, not ${expected}`);
  },
  {
    small: { server: ['sink', 'echo'], len: 64, n: 2e5 },
    medium: { server: ['sink', 'echo'], len: 16384, n: 2e4 },
    large: { server: ['sink', 'echo'], len: 1 << 20, n: 200 },
  },
  { byGroups: true },
);
