import { once } from 'node:events';
import { fstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { codeDirectory } from '@bench-cli/subjects';
import { askProgram, platform } from '@bench-cli/system';

/**
 * Locks an open file. The lock ends when the file is closed, or with its process, however that ends. Node.js
 * cannot lock files. `flock` of util-linux locks the open file that it inherits: containers that share the
 * volume see the lock, and so do NFS clients, unless a mount sets `nolock` or `local_lock`. Without that
 * program, the lock is a socket with the identity of the file as its name, since only one process can listen
 * on a name; other containers do not see it.
 *
 * @returns a function to call when the file is closed; undefined if another open file, which can be one of
 * this process, has the lock
 */
export async function lockFile(fd: number): Promise<(() => void) | undefined> {
  const isLocked = flock(fd);
  if (isLocked !== undefined) return isLocked ? () => {} : undefined;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  const name = platform.socketName(`bench-cli-${dev}-${ino}`, codeDirectory('locks') ?? tmpdir());
  const server = (await listen(name)) ?? ((await removeStale(name)) ? await listen(name) : undefined);
  return server && (() => server.close());
}

/** @returns undefined if the program is missing or hangs, or if the file system has no locks */
function flock(fd: number): boolean | undefined {
  const { status } = askProgram('flock', ['-n', '3'], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  if (status === 0 || status === 1) return status === 0;
  return undefined;
}

/** @returns undefined if the name is taken */
async function listen(name: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await once(server.listen(name), 'listening');
    return server;
  } catch (error) {
    if (Object(error).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Removes the file of a socket, if it has one, on which no process listens any longer. */
async function removeStale(name: string): Promise<boolean> {
  if (name.startsWith('\0')) return false;
  const socket = connect(name);
  const [{ status }] = await Promise.allSettled([once(socket, 'connect')]);
  socket.destroy();
  if (status === 'rejected') rmSync(name, { force: true });
  return status === 'rejected';
}
