import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBenchmark } from '@bench-cli/core';

// One operation is an event that a server has sent and a listener has received. The server is in the process of setup, and sends the
// events of an answer as fast as they are taken, in chunks that do not end where an event ends.
const CHUNK = 16 * 1024;

function* chunks(event: string, count: number): Generator<string, void, void> {
  const many = event.repeat(Math.ceil(CHUNK / event.length));
  let rest = '';
  for (let left = count * event.length; left > 0; ) {
    if (rest.length < CHUNK) rest += many;
    const chunk = rest.slice(0, Math.min(left, CHUNK));
    yield chunk;
    rest = rest.slice(chunk.length);
    left -= chunk.length;
  }
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const data = 'x'.repeat(Number(searchParams.get('len')));
  const head = searchParams.get('kind') === 'named' ? 'event: tick\nid: 1\n' : '';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // A client that leaves is no error.
  pipeline(Readable.from(chunks(`${head}data: ${data}\n\n`, Number(searchParams.get('n')))), response).catch(
    () => {},
  );
});

createBenchmark(
  async ({ kind, len, n }, bench) => {
    const url = `http://127.0.0.1:${process.env['EVENTSOURCE_PORT']}/?kind=${kind}&len=${len}&n=${n}`;
    const source = new EventSource(url);
    let received = 0;
    let bytes = 0;
    await new Promise<void>((resolve, reject) => {
      source.addEventListener('open', () => bench.start(), { once: true });
      source.addEventListener('error', () => reject(new Error('the connection broke')), { once: true });
      source.addEventListener(kind === 'named' ? 'tick' : 'message', ({ data }) => {
        bytes += data.length;
        received++;
        if (received === n) resolve();
      });
    });
    bench.end(n);
    source.close();
    if (bytes !== n * len) throw new Error(`received ${bytes} of ${n * len} bytes`);
  },
  {
    short: { kind: ['data', 'named'], len: 16, n: 4e5 },
    long: { kind: ['data', 'named'], len: 1024, n: 1e5 },
  },
  {
    byGroups: true,
    flags: ['--experimental-eventsource', '--disable-warning=UNDICI-ES'],
    async setup() {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      process.env['EVENTSOURCE_PORT'] = String(typeof address === 'object' ? address?.port : '');
    },
    teardown() {
      server.close();
      server.closeAllConnections();
    },
  },
);
