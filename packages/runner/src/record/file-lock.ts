import { spawnSync } from 'node:child_process';
import { fstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeDirectory } from '../locations.ts';

/**
 * Locks an open file. The lock ends when the file is closed, or with its process, however that ends. Node.js cannot lock files.
 * On Linux `flock` of util-linux locks the open file that it inherits: containers that share the volume see the lock, and so do
 * NFS clients, unless a mount sets `nolock` or `local_lock`. Without that program, and on other systems, the lock is a Unix
 * socket with the identity of the file as its name, since only one process can listen on a name; other containers do not see it.
 *
 * @returns undefined if another open file, which can be one of this process, has the lock
 */
export async function lockFile(fd: number): Promise<Unlock | undefined> {
  const isLocked = process.platform === 'linux' ? flock(fd) : undefined;
  if (isLocked !== undefined) return isLocked ? () => {} : undefined;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  const name = socketName(`bench-cli-${dev}-${ino}`);
  const server = (await listen(name)) ?? ((await removeStale(name)) ? await listen(name) : undefined);
  return server && (() => server.close());
}

/** To be called when the file is closed. */
export type Unlock = () => void;

/** @returns undefined if the program is missing, or if the file system has no locks */
function flock(fd: number): boolean | undefined {
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === 0 || status === 1) return status === 0;
  return undefined;
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
