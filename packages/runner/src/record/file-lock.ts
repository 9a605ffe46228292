import { rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeDirectory } from '../locations.ts';

/**
 * A lock on a file, which ends with its process, however that ends. Node.js cannot lock files, so the lock is a Unix socket
 * with the identity of the file as its name, since only one process can listen on a name.
 */
export class FileLock {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @returns undefined if a process has the lock, which can be this one */
  static async acquire(path: string): Promise<FileLock | undefined> {
    const { dev, ino } = statSync(path, { bigint: true });
    const name = socketName(`bench-cli-${dev}-${ino}`);
    const server = (await listen(name)) ?? ((await removeStale(name)) ? await listen(name) : undefined);
    return server && new FileLock(server);
  }

  release(): void {
    this.#server.close();
  }
}

/** Linux has names without a file, which end with the process. Elsewhere a file remains if the process is killed. */
function socketName(name: string): string {
  return process.platform === 'linux' ? `\0${name}` : join(codeDirectory('locks') ?? tmpdir(), name);
}

/** @returns undefined if the name is taken */
function listen(name: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => resolve(server));
  });
}

/** Removes the file of a socket on which no process listens any longer. */
function removeStale(name: string): Promise<boolean> {
  if (name.startsWith('\0')) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(name, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => {
      rmSync(name, { force: true });
      resolve(true);
    });
  });
}
