import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { askProgram, orElse } from '@bench-cli/system';

export type NamedPipe = ReturnType<typeof opened>;

/**
 * Pipes for the output of whole commands, which may open `/dev/stdout` and `/dev/stderr`. The pipes of
 * Node.js are sockets, which cannot be opened.
 * @returns a function that returns an empty pipe; undefined if the system has none
 */
export function namedPipes(directory: string): () => NamedPipe | undefined {
  const free: string[] = [];
  let made = 0;
  const make = () => {
    const path = join(directory, `pipe-${made++}`);
    askProgram('mkfifo', [path], { encoding: 'utf8', stdio: 'ignore' });
    return path;
  };
  return () =>
    orElse(() => {
      const path = free.pop() ?? make();
      const pipe = opened(path);
      // One that somebody may still write to is not used again.
      pipe.stream.once('end', () => free.push(path));
      return pipe;
    }, undefined);
}

function opened(path: string) {
  const stream = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  return { stream, writeEnd: openSync(path, 'w') };
}
