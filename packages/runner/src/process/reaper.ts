import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFile } from '../locations.ts';

/**
 * Sees to it that nothing outlives the command, however that ends. A small process of its own waits at the end of a
 * pipe; when the pipe breaks, because the command was killed or crashed, it kills what the command had running.
 */
export class Reaper {
  readonly #process: ChildProcess;
  readonly #ended: Promise<boolean>;
  readonly #groups = new Set<number>();
  /** Where the groups are written. It is a file, since what comes by a pipe would wake the reaper beside every run. */
  readonly #list: number;

  /**
   * @param mark what marks the processes of this session in their environment
   * @param directory a directory to remove in the end
   */
  constructor(mark: string, directory: string) {
    this.#list = openSync(join(directory, 'groups'), 'w+');
    this.#write();
    const script = fileURLToPath(ownFile('process/reaper-process.js'));
    this.#process = spawn(process.execPath, [script, mark, directory], {
      stdio: ['pipe', 'ignore', 'ignore', this.#list],
      detached: true,
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', (code) => resolve(code === 0));
      this.#process.once('error', () => resolve(false));
    });
    // A broken pipe only means that there is no reaper: what it is for goes on without it.
    this.#process.stdin?.on('error', () => {});
    this.#process.unref();
  }

  /** From now on the group is killed if the command dies. */
  watch(groupId: number): void {
    this.#groups.add(groupId);
    this.#write();
  }

  /** The group has ended. */
  release(groupId: number): void {
    this.#groups.delete(groupId);
    this.#write();
  }

  /**
   * The command ends in good order.
   * @returns whether the reaper did what it is for; if not, it was killed itself
   */
  async close(): Promise<boolean> {
    this.#process.ref();
    this.#process.stdin?.end();
    const reaped = await this.#ended;
    closeSync(this.#list);
    return reaped;
  }

  /** The first line of the file is what counts: a longer one may have been there. */
  #write(): void {
    writeSync(this.#list, `${[...this.#groups].join(' ')}\n`, 0);
  }
}
