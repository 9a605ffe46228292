import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { works } from './command.ts';

/** A directory in which files cannot grow as they want to. */
export interface SmallDisk extends Disposable {
  /** What limits the files. */
  readonly limit: string;
  readonly directory: string;
  /** Leaves about so many bytes for a file. @returns what starts a command for which that is so */
  shrink(bytes: number, file: string): readonly string[];
  grow(): void;
}

/** A file system in memory if it can be mounted, else a limit of the size of each file; undefined if there is neither. */
export function smallDisk(): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-suite-disk-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (works('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory)) {
    const filler = join(directory, 'filler');
    const grow = () => rmSync(filler, { force: true });
    return {
      limit: 'tmpfs',
      directory,
      shrink: (bytes) => {
        grow();
        const { bavail, bsize } = statfsSync(directory);
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
        return [];
      },
      grow,
      [Symbol.dispose]: () => {
        execFileSync('umount', [directory]);
        remove();
      },
    };
  }
  if (works('prlimit', '--fsize=1', 'true')) {
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return {
      limit: 'RLIMIT_FSIZE',
      directory,
      shrink: (bytes, file) => ['prlimit', `--fsize=${sizeOf(file) + bytes}`],
      grow: () => {},
      [Symbol.dispose]: remove,
    };
  }
  remove();
  return undefined;
}
