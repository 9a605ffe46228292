import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { builtInBenchmarkers, LoadError } from '@bench-cli/benchmarkers';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

interface Request {
  readonly socket: Socket;
  /** Number of the request, of all and on its connection. */
  readonly ofAll: number;
  readonly ofConnection: number;
}

/** Each lies after some requests; before that, it answers as it should. */
const lies: readonly [(request: Request) => void, ...((request: Request) => void)[]] = [
  () => {},
  ({ socket }) => socket.destroy(),
  ({ socket }) => socket.end(),
  ({ socket }) => socket.resetAndDestroy(),
  ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no'),
  ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok'),
  ({ socket }) => socket.write('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n'),
  ({ socket }) => socket.write('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
  ({ socket }) => socket.write('HTTP/1.1 2'),
  ({ socket }) => socket.write(Buffer.alloc(64, 0xff)),
  ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
  ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\nok'),
];

/** Loads servers that lie with every load tool that is installed. None may yield a rate. */
export async function lyingServers(count: number, random: Random): Promise<readonly Tally[]> {
  const tally = new Tally('lying servers');
  const tools = [];
  for (const tool of builtInBenchmarkers) {
    if (!tool.byNameOnly && (await tool.available()).available) tools.push(tool);
  }
  while (tally.attempts < count) {
    const tool = tools[tally.attempts % tools.length];
    if (tool === undefined) break;
    const number = random.below(lies.length + 1);
    const after = random.pick([0, 1, 5, 30, 100]);
    tally.attempts++;
    // h2load does not end, and takes all memory, if a server begins to answer twice during the load.
    const twice = (request: Request) => request.socket.write(answer + answer);
    const lie = lies[number];
    const server = await start(lie ?? twice, lie === undefined ? 0 : after);
    try {
      const { port } = server;
      const load = { port, protocol: 'http', connections: 2, durationSeconds: 1, timeoutSeconds: 3 } as const;
      const { rate } = await tool.run(load);
      tally.add('wrong figures', `${rate} by ${tool.name}, lie ${number} after ${after} requests`);
    } catch (error) {
      if (!(error instanceof LoadError)) tally.add('stack traces', String(error));
    } finally {
      server.close();
    }
  }
  return [tally];
}

async function start(lie: (request: Request) => void, after: number) {
  let ofAll = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let ofConnection = 0;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        text = text.slice(end + 4);
        const request = { socket, ofAll: ++ofAll, ofConnection: ++ofConnection };
        if (request.ofAll > after) lie(request);
        else socket.write(answer);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close };
}
