import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platform, setCoredumpFilter } from '@bench-cli/system';
import { type Marks, markVariable } from './process-tree.ts';

const shell = '/bin/sh';

/**
 * Waits for the end of the pipe, and becomes the program of its arguments unless `ended` came before. A shell
 * needs much less time and memory than Node.js. Ctrl-C in the terminal must not end it.
 */
const wait = 'trap "" INT TERM HUP; read -r word; [ "$word" = ended ] || exec "$@"';

/**
 * Makes sure that no process outlives the command, even if the command is killed or crashes. A small process
 * waits at the end of a pipe; when the pipe closes, it kills the processes of the command.
 * @param marks the marks of this session on its processes
 * @param directory is removed at the end
 */
export function startReaper({ mark, filter }: Marks, directory: string) {
  /** The file with the groups. A pipe would wake the reaper during every run. */
  const list = openSync(join(directory, 'groups'), 'w+');
  const groups = new Set<number>();
  /** Only the first line counts, because a longer one may have been there before. */
  const write = () => writeSync(list, `${[...groups].join(' ')}\n`, 0);
  write();
  const script = fileURLToPath(new URL('./reaper-process.js', import.meta.url));
  const cleanUp = [process.execPath, script, mark, directory, String(filter ?? '')];
  const keeper = platform.jobKeeper?.(directory);
  const waiting = existsSync(shell) ? [shell, '-c', wait, 'bench-cli', ...cleanUp] : cleanUp;
  const [program = '', ...args] = keeper ?? waiting;
  const child = spawn(program, args, {
    stdio: ['pipe', keeper === undefined ? 'ignore' : 'pipe', 'ignore', list],
    detached: true,
    windowsHide: true,
    // With any mark but that of the session, it is no process of the session, although it has its filter.
    env: { ...process.env, [markVariable]: process.env[markVariable] ?? 'reaper' },
  });
  // Other sessions choose another one.
  if (child.pid !== undefined && filter !== undefined) setCoredumpFilter(child.pid, filter);
  // The start fails if the system has no more processes.
  const ended = once(child, 'exit').catch(() => {});
  const { stdin, stdout } = child;
  // A broken pipe means that the reaper has ended. The session works without it.
  stdin?.on('error', () => {});
  child.unref();
  const tellKeeper = (line: string) => keeper && stdin?.write(`${line}\n`);
  return {
    /** Resolves when it can take the first process. */
    ready: Promise.race([stdout ? once(stdout, 'data') : undefined, ended]),

    watch(groupId: number): void {
      groups.add(groupId);
      write();
      tellKeeper(`+${groupId}`);
    },

    release(groupId: number): void {
      groups.delete(groupId);
      write();
      tellKeeper(`-${groupId}`);
    },

    /** Ends the reaper. The processes of the command have ended. */
    async close(): Promise<void> {
      child.ref();
      stdin?.end('ended\n');
      // A benchmark can have stopped it.
      if (platform.signalGroup !== undefined) child.kill('SIGCONT');
      await ended;
      closeSync(list);
    },
  };
}
