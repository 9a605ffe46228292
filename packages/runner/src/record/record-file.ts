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
import type { Recording, RecordLine } from '@bench-cli/results/recording';
import { cacheDirectory } from '../locations.ts';

/** How long a finished run may be only in the cache of the system. A crash of the machine loses at most this. */
const syncIntervalMs = 1000;

/** Appends results to a file, each immediately and completely, so that a killed command loses no finished run. */
export class RecordFile {
  readonly path: string;
  readonly #fd: number;
  #syncedAtMs = 0;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
  }

  /**
   * Creates a new file.
   * @throws UsageError if it exists or cannot be written
   */
  static create(path: string): RecordFile {
    return new RecordFile(path, open(path, 'ax'));
  }

  /** Continues a file that was read before; an incomplete last line is removed. */
  static continue(path: string, recording: Recording): RecordFile {
    if (recording.tornAt !== undefined) truncateSync(path, recording.tornAt);
    return new RecordFile(path, open(path, 'a'));
  }

  /** @throws UsageError if the line cannot be written, for example because the disk is full */
  append(line: RecordLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
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

  close(): void {
    closeSync(this.#fd);
  }
}

function open(path: string, flags: 'a' | 'ax'): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
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
      `cannot write ${path}: ${reasonOf(error)}; choose another place with --out`,
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const keptSessions = 20;

/** The file for a session without --out, so that its runs are not lost. Only the newest sessions are kept. */
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
