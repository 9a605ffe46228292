import {
  closeSync,
  existsSync,
  fdatasync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, UsageError } from '@bench-cli/results';
import { LINE_LIMIT_BYTES, type Recording, type RecordLine } from '@bench-cli/results/recording';
import { cacheDirectory } from '../locations.ts';
import { FileLock } from './file-lock.ts';

/** How long a finished run may be only in the cache of the system. A crash of the machine loses at most this. */
const syncIntervalMs = 1000;

/** Appends results to a file, each immediately and completely, so that a killed command loses no finished run. */
export class RecordFile {
  readonly path: string;
  readonly #fd: number;
  readonly #lock: FileLock;
  #syncedAtMs = 0;

  private constructor(path: string, fd: number, lock: FileLock) {
    this.path = path;
    this.#fd = fd;
    this.#lock = lock;
  }

  /**
   * Creates a new file.
   * @throws UsageError if it exists or cannot be written
   */
  static create(path: string): Promise<RecordFile> {
    return RecordFile.#open(path, 'ax');
  }

  /**
   * Opens a file to continue it. Only then can it be read for that, because another process could write it before.
   * @throws UsageError if it does not exist, cannot be written, or another process writes it
   */
  static continue(path: string): Promise<RecordFile> {
    if (!existsSync(path)) {
      throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `file not found: ${path}; check the path`);
    }
    return RecordFile.#open(path, 'a');
  }

  static async #open(path: string, flags: 'a' | 'ax'): Promise<RecordFile> {
    const fd = open(path, flags);
    const lock = await FileLock.acquire(fd);
    if (lock !== undefined) return new RecordFile(path, fd, lock);
    closeSync(fd);
    throw new UsageError(
      'ERR_BENCH_FILE_IN_USE',
      `${path} is being written by another bench-cli process: wait for its end, or stop it`,
    );
  }

  /** Removes an incomplete last line. */
  truncate({ tornAt }: Recording): void {
    if (tornAt !== undefined) truncateSync(this.path, tornAt);
  }

  /** @throws UsageError if the line is too long to be read again, or cannot be written, for example because the disk is full */
  append(line: RecordLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    if (bytes.length > LINE_LIMIT_BYTES) {
      throw new UsageError(
        'ERR_BENCH_LINE_LENGTH',
        `${this.path}: a ${line.type} line of ${bytes.length} bytes is longer than the limit of ${LINE_LIMIT_BYTES}: give the benchmarks shorter parameter values or fewer configurations, or select fewer with --filter and --set`,
      );
    }
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#fd, bytes, offset);
    } catch (error) {
      throw new UsageError(
        'ERR_BENCH_WRITE',
        `cannot write ${this.path}: ${reasonOf(error)}; all finished runs are in the file: continue with --resume ${this.path}`,
      );
    }
    const nowMs = performance.now();
    if (nowMs - this.#syncedAtMs < syncIntervalMs) return;
    this.#syncedAtMs = nowMs;
    // In parallel to the next run; the next write reports an error.
    fdatasync(this.#fd, () => {});
  }

  /** Deletes the file, which must be closed after that. */
  remove(): void {
    rmSync(this.path, { force: true });
  }

  close(): void {
    closeSync(this.#fd);
    this.#lock.release();
  }
}

function open(path: string, flags: 'a' | 'ax'): number {
  try {
    makeDirectory(dirname(path));
    return openSync(path, flags);
  } catch (error) {
    if (flags === 'ax' && existsSync(path)) {
      throw new UsageError(
        'ERR_BENCH_FILE_EXISTS',
        `${path} exists: continue its session with --resume ${path}, or choose another name with --out`,
      );
    }
    throw new UsageError(
      'ERR_BENCH_WRITE',
      `cannot write ${path}: ${reasonOf(error)}; ${flags === 'a' ? 'make it writable, or continue a copy of it' : 'choose another place with --out, or set BENCH_CLI_CACHE'}`,
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const keptSessions = 20;

/**
 * The file for a session without --out, so that its runs are not lost. Only the newest sessions are kept, and those that
 * still run.
 */
export async function defaultRecordPath(command: string, now: Date): Promise<string> {
  const directory = join(cacheDirectory(), 'sessions');
  if (existsSync(directory)) {
    const old = readdirSync(directory)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .slice(0, -keptSessions + 1);
    for (const name of old) await removeUnused(join(directory, name));
  }
  return join(directory, `${now.toISOString().replaceAll(':', '-')}-${command}-${process.pid}.jsonl`);
}

async function removeUnused(path: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const lock = await FileLock.acquire(fd);
    if (lock !== undefined) rmSync(path, { force: true });
    lock?.release();
  } catch {
    // Another command has removed it.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
