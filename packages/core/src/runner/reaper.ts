import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/**
 * Sees to it that nothing outlives the command, however that ends. A small process of its own waits at the end of a
 * pipe; when the pipe breaks, because the command was killed or crashed, it kills what the command had running.
 */
export class Reaper {
  readonly #process: ReturnType<typeof start>;

  /**
   * @param mark what marks the processes of this session in their environment
   * @param directory a directory to remove in the end
   */
  constructor(mark: string, directory: string) {
    const script = fileURLToPath(new URL('./reaper-process.js', import.meta.url));
    this.#process = start([script, mark, directory]);
    // A broken pipe only means that there is no reaper: what it is for goes on without it.
    this.#process.stdin.on('error', () => {});
    this.#process.nodeChildProcess.unref();
  }

  /** From now on the group is killed if the command dies. */
  watch(groupId: number): void {
    this.#process.stdin.write(`+${groupId}\n`);
  }

  /** The group has ended. */
  release(groupId: number): void {
    this.#process.stdin.write(`-${groupId}\n`);
  }

  /** The command ends in good order. */
  async close(): Promise<void> {
    this.#process.nodeChildProcess.ref();
    this.#process.stdin.end();
    await this.#process;
  }
}

function start(args: readonly string[]) {
  return execa(process.execPath, args, {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
  });
}
