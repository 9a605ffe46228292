import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { askProgram, orElse } from '@bench-cli/system';

export type NamedPipe = ReturnType<typeof opened>;

/**
 * Pipes for the output of whole commands, which may open `/dev/stdout` and `/dev/stderr`. The pipes of
 * Node.js are sockets, which cannot be opened.
 */
export class NamedPipes {
  readonly #directory: string;
  readonly #free: string[] = [];
  #made = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** An empty pipe; undefined if the system has none. */
  take(): NamedPipe | undefined {
    return orElse(() => {
      const path = this.#free.pop() ?? this.#make();
      const pipe = opened(path);
      // One that somebody may still write to is not used again.
      pipe.stream.once('end', () => this.#free.push(path));
      return pipe;
    }, undefined);
  }

  #make(): string {
    const path = join(this.#directory, `pipe-${this.#made++}`);
    askProgram('mkfifo', [path], { encoding: 'utf8', stdio: 'ignore' });
    return path;
  }
}

function opened(path: string) {
  const stream = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  return { stream, writeEnd: openSync(path, 'w') };
}
