import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Systems give ports above these to servers that listen on port 0, and to clients. */
const [first, last] = [20_000, 29_999];

/**
 * A port that no other test gets while this process lives, for a server in another process. The name of a socket of this process holds it,
 * and nobody listens on the port.
 */
export async function ownPort(): Promise<number> {
  const from = first + (process.pid % 100) * 100;
  for (let port = from; port <= last; port++) if (await holds(port)) return port;
  throw new RangeError(`no port from ${from} to ${last} is left`);
}

/** The port that the system gives to a server of this process, once it listens. */
export async function listeningPort(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return port;
}

function holds(port: number): Promise<boolean> {
  const name = `bench-cli-test-port-${port}`;
  const lock = createServer().unref();
  return new Promise((resolve) => {
    lock.once('error', () => resolve(false));
    // On Linux, a name that begins with NUL is no file, and ends with the process.
    lock.listen(process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name), () => resolve(true));
  });
}
