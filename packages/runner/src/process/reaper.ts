import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFile } from '../locations.ts';
import type { Marks } from './process-tree.ts';

/**
 * Makes sure that no process outlives the command, even if the command is killed or crashes. A separate small process
 * waits at the end of a pipe; when the pipe closes, it kills the processes of the command.
 */
export class Reaper {
  readonly #process: ChildProcess;
  readonly #ended: Promise<boolean>;
  readonly #groups = new Set<number>();
  /** The file with the groups. A pipe would wake the reaper during every run. */
  readonly #list: number;

  /**
   * @param marks the marks of this session on its processes
   * @param directory is removed at the end
   */
  constructor({ mark, filter }: Marks, directory: string) {
    this.#list = openSync(join(directory, 'groups'), 'w+');
    this.#write();
    const script = fileURLToPath(ownFile('process/reaper-process.cjs'));
    this.#process = spawn(
      process.execPath,
      [script, mark, directory, ...(filter === undefined ? [] : [String(filter)])],
      {
        stdio: ['pipe', 'ignore', 'ignore', this.#list],
        detached: true,
      },
    );
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', (code) => resolve(code === 0));
      this.#process.once('error', () => resolve(false));
    });
    // A broken pipe means that the reaper has ended. The session works without it.
    this.#process.stdin?.on('error', () => {});
    this.#process.unref();
  }

  /** Adds a group that the reaper kills if the command dies. */
  watch(groupId: number): void {
    this.#groups.add(groupId);
    this.#write();
  }

  /** Removes a group that has ended. */
  release(groupId: number): void {
    this.#groups.delete(groupId);
    this.#write();
  }

  /**
   * Ends the reaper together with the command.
   * @returns whether it has cleaned up; false if it was killed
   */
  async close(): Promise<boolean> {
    this.#process.ref();
    this.#process.stdin?.end();
    const reaped = await this.#ended;
    closeSync(this.#list);
    return reaped;
  }

  /** Only the first line counts, because a longer one may have been there before. */
  #write(): void {
    writeSync(this.#list, `${[...this.#groups].join(' ')}\n`, 0);
  }
}
