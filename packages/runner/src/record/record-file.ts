import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, UsageError } from '@bench-cli/results';
import {
  chainedLine,
  digestOfLine,
  LINE_LIMIT_BYTES,
  type Recording,
  type RecordLine,
  readRecording,
  unchainedLine,
} from '@bench-cli/results/recording';
import { cacheDirectory, codeDirectory } from '@bench-cli/subjects';
import { orElse, parseJson } from '@bench-cli/system';
import { quote } from 'shlex';
import { lockFile } from './file-lock.ts';

/** A finished run may stay in the cache of the system for so long. A crash of the machine loses it. */
const syncIntervalMs = 1000;

const changeCode = 'ERR_BENCH_FILE_CHANGED';

/** Appends each result to a file at once, so that a killed command loses no finished run. */
export class RecordFile {
  #path: string;
  #fd: number;
  readonly #unlock: () => void;
  #syncedAtMs = 0;
  /** Resolves when no part of the file is being written to the disk: the system keeps the lock until then. */
  #synced = Promise.resolve();
  /** The size of the file in bytes, if nothing else changes it. */
  #size: number;
  /** Whether runs are missing, so that the session must be resumed before it is complete. */
  #hasLostRuns = false;
  #digest = 0;
  /** The lines without which runs cannot be read, without their digests, for a file that is lost. */
  readonly #frame: string[] = [];

  private constructor(path: string, fd: number, unlock: () => void) {
    this.#path = path;
    this.#fd = fd;
    this.#unlock = unlock;
    this.#size = fstatSync(fd).size;
  }

  get path(): string {
    return this.#path;
  }

  /** The descriptor, so that what is read is what is locked and continued. */
  get fd(): number {
    return this.#fd;
  }

  /** Creates a new file. @throws UsageError if it exists or cannot be written */
  static create(path: string): Promise<RecordFile> {
    return RecordFile.#open(path, 'ax+');
  }

  /** The file must be read after that, because another process could write it before. */
  static continue(path: string): Promise<RecordFile> {
    if (!existsSync(path))
      throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `file not found: ${path}; check the path`);
    return RecordFile.#open(path, 'a+');
  }

  static async #open(path: string, flags: 'a+' | 'ax+'): Promise<RecordFile> {
    const fd = open(path, flags);
    const unlock = await lockFile(fd);
    if (unlock !== undefined) return new RecordFile(path, fd, unlock);
    closeSync(fd);
    const problem = `${path} is being written by another bench-cli process: wait for its end, or stop it`;
    throw new UsageError('ERR_BENCH_FILE_IN_USE', problem);
  }

  /** Goes on after what is recorded: removes an incomplete last line. */
  resume({ session, plan, resumed, tornAt }: Recording): void {
    const frame = [session, ...resumed, plan];
    this.#frame.push(...frame.flatMap((line) => (line === undefined ? [] : JSON.stringify(line))));
    if (tornAt !== undefined) {
      ftruncateSync(this.#fd, tornAt);
      this.#size = tornAt;
    }
    const end = Buffer.alloc(64);
    readSync(this.#fd, end, 0, end.length, this.#size - end.length);
    this.#digest = digestOfLine(end.toString().trimEnd());
  }

  /**
   * @returns a warning if another program removed, replaced or changed the file, so that the session goes on
   * in another one
   * @throws UsageError if the line is too long to be read again, or cannot be written, for example because
   * the disk is full
   */
  append(line: RecordLine): string | undefined {
    const json = JSON.stringify(line);
    const { line: text, digest } = chainedLine(json, this.#digest);
    const bytes = Buffer.from(`${text}\n`);
    if (bytes.length > LINE_LIMIT_BYTES) {
      const problem = `${this.path}: a ${line.type} line of ${bytes.length} bytes is longer than the limit of ${LINE_LIMIT_BYTES}: give the benchmarks shorter parameter values or fewer cases, or select fewer with --filter and --set`;
      throw new UsageError('ERR_BENCH_LINE_LENGTH', problem);
    }
    this.#digest = digest;
    const isEnd = line.type === 'end';
    const written = isEnd && this.#hasLostRuns ? Buffer.alloc(0) : bytes;
    const nowMs = performance.now();
    const isDue = nowMs - this.#syncedAtMs >= syncIntervalMs;
    this.#write(written);
    if (isDue) {
      this.#syncedAtMs = nowMs;
      // In parallel to the next run; the next write reports an error.
      const before = this.#synced;
      this.#synced = new Promise((resolve) => fdatasync(this.#fd, () => resolve(before)));
    }
    const isWhole = fstatSync(this.#fd).size === this.#size;
    const warning = isWhole && !isDue && !isEnd ? undefined : this.#movedIfChanged(written, isEnd);
    if (!isEnd && !('round' in line)) this.#frame.push(json);
    return warning;
  }

  /**
   * Goes on in another file, with all that can still be read, if another program took this one away or wrote
   * to it.
   * @param last the line that was written last. Only what this session wrote before it can be told from what
   * others wrote.
   */
  #movedIfChanged(last: Buffer, isEnd: boolean): string | undefined {
    const here = statSync(this.#path, { throwIfNoEntry: false });
    const { dev, ino, size } = fstatSync(this.#fd);
    const isHere = here?.ino === ino && here.dev === dev;
    if (isHere && size === this.#size) return undefined;
    const lost = this.#path;
    const lines = linesOf(this.#fd, Math.max(0, Math.min(this.#size, size) - last.length));
    const kept = Buffer.from(lines.map((each) => `${each}\n`).join(''));
    const isLost = kept.length < this.#size - last.length;
    const change = size < this.#size ? 'emptied' : 'changed by another program';
    const what = isHere ? change : here === undefined ? 'removed' : 'replaced';
    this.#hasLostRuns ||= isLost;
    closeSync(this.#fd);
    this.#path = `${lost.replace(/\.jsonl$/, '')}.${new Date().toISOString().replaceAll(':', '-')}.jsonl`;
    this.#fd = open(this.#path, 'ax+');
    this.#size = 0;
    if (isLost) {
      // The digests of the remaining lines continue the digests of lost lines.
      this.#digest = 0;
      const frame = lines[0]?.startsWith('{"type":"session"') ? [] : this.#frame;
      const lastLines = isEnd ? [] : [unchainedLine(last.toString().trimEnd())];
      for (const json of [...frame, ...lines.map(unchainedLine), ...lastLines]) {
        const { line, digest } = chainedLine(json, this.#digest);
        this.#digest = digest;
        this.#write(Buffer.from(`${line}\n`));
      }
    } else {
      this.#write(kept);
      this.#write(last);
    }
    return `${lost} was ${what}${isLost ? ', and its runs are lost' : ''}; the session goes on in ${this.#path}: continue it with --resume ${quote(this.#path)} [${changeCode}]`;
  }

  #write(bytes: Uint8Array): void {
    this.#size += bytes.length;
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#fd, bytes, offset);
    } catch (error) {
      const problem = `cannot write ${this.path}: ${reasonOf(error)}; all finished runs are in the file: continue with --resume ${quote(this.path)}`;
      throw new UsageError('ERR_BENCH_WRITE', problem);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  /** The file can be opened again when it resolves. */
  async close(): Promise<void> {
    await this.#synced;
    closeSync(this.#fd);
    this.#unlock();
  }
}

function open(path: string, flags: 'a+' | 'ax+'): number {
  try {
    makeDirectory(dirname(path));
    return openSync(path, flags);
  } catch (error) {
    if (flags === 'ax+' && existsSync(path)) {
      const problem = `${path} exists: continue its session with --resume ${quote(path)}, or choose another name with --out`;
      throw new UsageError('ERR_BENCH_FILE_EXISTS', problem);
    }
    const problem = `cannot write ${path}: ${reasonOf(error)}; ${flags === 'a+' ? 'make it writable, or continue a copy of it' : 'choose another place with --out, or set BENCH_CLI_CACHE'}`;
    throw new UsageError('ERR_BENCH_WRITE', problem);
  }
}

/** The lines of a file that are whole, with their digests. */
function linesOf(fd: number, size: number): readonly string[] {
  const buffer = Buffer.alloc(size);
  for (let at = 0, read = -1; at < size && read !== 0; at += read)
    read = readSync(fd, buffer, at, size - at, at);
  return buffer
    .toString()
    .split('\n')
    .filter((line) => parseJson(unchainedLine(line)) !== undefined);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const keptSessions = 20;

/**
 * The file for a session without --out, so that its runs are not lost. Only the newest sessions are kept, and
 * those that still run.
 */
export async function defaultRecordPath(command: string, now: Date): Promise<string> {
  const directory = sessionsDirectory();
  if (existsSync(directory)) {
    const old = readdirSync(directory)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .slice(0, -keptSessions + 1);
    for (const name of old) await removeUnused(join(directory, name));
  }
  return join(directory, `${now.toISOString().replaceAll(':', '-')}-${command}-${process.pid}.jsonl`);
}

/** The recorded comparisons of a directory that had no --out, the latest last. */
export function formerComparisons(cwd: string): readonly Recording[] {
  const directory = sessionsDirectory();
  const names = orElse(() => readdirSync(directory), []).filter((name) => /-compare-\d+\.jsonl$/.test(name));
  const recordings = names.sort().flatMap((name) => orElse(() => [readRecording(join(directory, name))], []));
  return recordings.filter(({ session }) => session.request.settings.cwd === cwd);
}

function sessionsDirectory(): string {
  // Others cannot read its files, which have the values of variables.
  return codeDirectory('sessions') ?? join(cacheDirectory(), 'sessions');
}

async function removeUnused(path: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const unlock = await lockFile(fd);
    if (unlock !== undefined) rmSync(path, { force: true });
    unlock?.();
  } catch {
    // Another command has removed it.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
