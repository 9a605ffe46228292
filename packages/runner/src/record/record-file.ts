import {
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { RecordLine, Recording } from '@bench-cli/results/recording';
import { cacheDirectory } from '../locations.ts';

/** How long a finished run may be only in the system's cache: a machine that dies loses no more than this. */
const syncIntervalMs = 1000;

/** Appends results to a file, each at once and whole, so that a command which is killed loses nothing. */
export class RecordFile {
  readonly path: string;
  readonly #fd: number;
  #syncedAtMs = 0;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
  }

  /**
   * Begins a new file.
   * @throws UsageError when it exists or cannot be written
   */
  static create(path: string): RecordFile {
    return new RecordFile(path, open(path, 'ax'));
  }

  /** Goes on in a file that was read before; what was torn off at its end is removed. */
  static continue(path: string, recording: Recording): RecordFile {
    if (recording.tornAt !== undefined) truncateSync(path, recording.tornAt);
    return new RecordFile(path, open(path, 'a'));
  }

  /** @throws UsageError when the disk is full, or the line cannot be written for another reason */
  append(line: RecordLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#fd, bytes, offset);
    } catch (error) {
      throw new UsageError('ERR_BENCH_WRITE', 
        `cannot write to ${this.path}: ${reasonOf(error)}; what it holds is whole, continue with --resume ${this.path}`,
      );
    }
    const nowMs = performance.now();
    if (nowMs - this.#syncedAtMs < syncIntervalMs) return;
    this.#syncedAtMs = nowMs;
    // Beside the next run; an error shows at the next write.
    fdatasync(this.#fd, () => {});
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function open(path: string, flags: 'a' | 'ax'): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, flags);
  } catch (error) {
    throw new UsageError('ERR_BENCH_WRITE', 
      existsSync(path)
        ? `${path} exists; continue what it holds with --resume ${path}, or give --out another name`
        : `cannot write to ${path}: ${reasonOf(error)}`,
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const keptSessions = 20;

/** Where a session is recorded that was not told where: nothing measured is lost. The oldest of them are removed. */
export function defaultRecordPath(command: string, now: Date): string {
  const directory = join(cacheDirectory(), 'sessions');
  if (existsSync(directory)) {
    const old = readdirSync(directory)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .slice(0, -keptSessions + 1);
    for (const name of old) rmSync(join(directory, name), { force: true });
  }
  return join(directory, `${now.toISOString().replaceAll(':', '-')}-${command}-${process.pid}.jsonl`);
}
