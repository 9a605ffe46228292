import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from '@bench-cli/benchmarkers/system';
import { ownPath } from '../locations.ts';
import type { Marks } from './process-tree.ts';

const shell = '/bin/sh';

/**
 * Waits for the end of the pipe, and becomes the program of its arguments unless `ended` came before. A shell takes much less time
 * and memory than Node.js. Ctrl-C in the terminal must not end it.
 */
const wait = 'trap "" INT TERM HUP; read -r word; [ "$word" = ended ] || exec "$@"';

/**
 * Makes sure that no process outlives the command, even if the command is killed or crashes. A separate small process
 * waits at the end of a pipe; when the pipe closes, it kills the processes of the command.
 */
export class Reaper {
  /** Resolves when it can take the first process. */
  readonly ready: Promise<unknown>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
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
    const script = ownPath('process/reaper-process.js');
    const cleanUp = [
      process.execPath,
      script,
      mark,
      directory,
      ...(filter === undefined ? [] : [String(filter)]),
    ];
    const keeper = platform.jobKeeper?.(directory);
    const waiting = existsSync(shell) ? [shell, '-c', wait, 'bench-cli', ...cleanUp] : cleanUp;
    const [program = '', ...args] = keeper ?? waiting;
    this.#process = spawn(program, args, {
      stdio: ['pipe', keeper === undefined ? 'ignore' : 'pipe', 'ignore', this.#list],
      detached: true,
      windowsHide: true,
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', resolve);
      this.#process.once('error', resolve);
    });
    const { stdout } = this.#process;
    this.ready = Promise.race([stdout === null ? undefined : once(stdout, 'data'), this.#ended]);
    // A broken pipe means that the reaper has ended. The session works without it.
    this.#process.stdin?.on('error', () => {});
    this.#process.unref();
  }

  /** Adds a group that the reaper kills if the command dies. */
  watch(groupId: number): void {
    this.#groups.add(groupId);
    this.#write();
    this.#tellKeeper(`+${groupId}`);
  }

  release(groupId: number): void {
    this.#groups.delete(groupId);
    this.#write();
    this.#tellKeeper(`-${groupId}`);
  }

  /** Ends the reaper. The processes of the command have ended. */
  async close(): Promise<void> {
    this.#process.ref();
    this.#process.stdin?.end('ended\n');
    await this.#ended;
    closeSync(this.#list);
  }

  #tellKeeper(line: string): void {
    if (platform.jobKeeper !== undefined) this.#process.stdin?.write(`${line}\n`);
  }

  /** Only the first line counts, because a longer one may have been there before. */
  #write(): void {
    writeSync(this.#list, `${[...this.#groups].join(' ')}\n`, 0);
  }
}
