import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBenchmark } from '@bench-cli/core';

// One operation is a message to a server that sends it back. So many messages are under way at a time. The server is in the process of
// setup, so that it has its own event loop and is the same for all subjects.
const server = createServer();

createBenchmark(
  async ({ type, len, pending, n }, bench) => {
    const socket = new WebSocket(`ws://127.0.0.1:${process.env['WEBSOCKET_PORT']}/`);
    socket.binaryType = 'arraybuffer';
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('no connection')), { once: true });
    });
    const message = type === 'text' ? 'x'.repeat(len) : new Uint8Array(len);
    let received = 0;
    let bytes = 0;
    const done = new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        bytes += typeof data === 'string' ? data.length : data.byteLength;
        received++;
        if (received === n) resolve();
        else if (received + pending <= n) socket.send(message);
      });
    });
    bench.start();
    for (let i = 0; i < Math.min(pending, n); i++) socket.send(message);
    await done;
    bench.end(n);
    socket.close();
    if (bytes !== n * len) throw new Error(`received ${bytes} of ${n * len} bytes`);
  },
  { type: ['text', 'binary'], len: [64, 16384], pending: [1, 32], n: 5000 },
  {
    async setup() {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      process.env['WEBSOCKET_PORT'] = String(typeof address === 'object' ? address?.port : '');
    },
    teardown() {
      server.close();
      server.closeAllConnections();
    },
  },
);

server.on('upgrade', (request, socket) => {
  // RFC 6455, section 4.2.2.
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let buffered = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let frame = frameIn(buffered); frame !== undefined; frame = frameIn(buffered)) {
      buffered = buffered.subarray(frame.end);
      socket.write(frame.answer);
      if (frame.isClose) socket.end();
    }
  });
});

/** The first frame of some bytes as a server sends it back: without the mask. Messages of up to 64 KiB have one frame. */
function frameIn(
  bytes: Buffer,
): { readonly answer: Buffer; readonly end: number; readonly isClose: boolean } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const isLong = (second & 0x7f) === 126;
  const head = isLong ? 4 : 2;
  if (bytes.length < head + 4) return undefined;
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f;
  const end = head + 4 + length;
  if (bytes.length < end) return undefined;
  const answer = Buffer.alloc(head + length);
  bytes.copy(answer, 0, 0, head);
  answer[1] = second & 0x7f;
  for (let at = 0; at < length; at++)
    answer[head + at] = (bytes[head + 4 + at] ?? 0) ^ (bytes[head + (at & 3)] ?? 0);
  return { answer, end, isClose: (first & 0x0f) === 8 };
}
