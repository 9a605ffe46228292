import {
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { cacheDirectory } from '../subject/cache.ts';
import { UsageError } from '../process/failure.ts';
import { LineReader } from '../process/line-reader.ts';
import {
  type BenchmarkFailure,
  type CalibrationRecord,
  lineSchema,
  type PlanRecord,
  type RecordLine,
  type ResumedRecord,
  type RunRecord,
  recordFormat,
  type SessionRecord,
} from '@bench-cli/results';

/** What was recorded of one session. */
export interface Recording {
  readonly session: SessionRecord;
  /** Undefined if it was cut off before it had one, and in files of format 1. */
  readonly plan: PlanRecord | undefined;
  readonly resumed: readonly ResumedRecord[];
  readonly calibrations: readonly CalibrationRecord[];
  readonly runs: readonly RunRecord[];
  readonly failures: readonly BenchmarkFailure[];
  /** It was not cut off, or was continued to its end. Files of format 1 do not tell. */
  readonly ended: boolean;
  /** The last line was cut off, as when a machine dies while it is written; where it starts, in bytes. */
  readonly tornAt: number | undefined;
}

/** One of the sessions that a file holds. */
export interface RecordedSession {
  /** Where it is: the file, with the line where it begins if there are several. */
  readonly place: string;
  readonly recording: Recording;
}

/** More than the plan of a large suite takes, which is one line. */
const lineLimitBytes = 1 << 25;

/**
 * Reads a file of results with one session. A torn last line is no error; whatever else is not as it was written is.
 * @throws UsageError that names file and line, and what is wrong there
 */
export function readRecording(path: string): Recording {
  const [first, second] = readSessions(path);
  if (second !== undefined) {
    throw new UsageError(
      `${path} holds the sessions of several machines, which were merged: they are complete, there is nothing to go on with`,
    );
  }
  return first.recording;
}

/**
 * Reads all sessions of a file, in their order, without regard to whether they belong together.
 * @throws UsageError as `readRecording`
 */
export function readSessions(path: string): readonly [RecordedSession, ...RecordedSession[]] {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  const drafts: Draft[] = [];
  let line = 0;
  const { bytes, lastLine } = readLines(path, (text) => {
    line++;
    const record = readLine(text, `${path}:${line}`);
    if (record.type === 'session') {
      drafts.push({
        line,
        session: record,
        plan: undefined,
        resumed: [],
        runs: [],
        calibrations: [],
        failures: [],
        ended: false,
      });
      return;
    }
    const draft = drafts.at(-1);
    if (draft === undefined) {
      throw new UsageError(
        `${path}:1: the first line is no session; is this a file that bench-cli wrote with --out?`,
      );
    }
    take(draft, record);
  });
  const tornAt = lastLine.length > 0 ? bytes - lastLine.length : undefined;
  const [first, ...others] = drafts.map(({ line, ...recording }, at) => ({
    place: drafts.length === 1 ? path : `${path}:${line}`,
    recording: { ...recording, tornAt: at === drafts.length - 1 ? tornAt : undefined },
  }));
  if (first === undefined) {
    throw new UsageError(
      `${path} holds no session; ${bytes === 0 ? 'it is empty' : 'its first line is cut off'}`,
    );
  }
  return [first, ...others];
}

/** A recording while it is read. */
interface Draft {
  /** Where it begins. */
  readonly line: number;
  readonly session: SessionRecord;
  plan: PlanRecord | undefined;
  readonly resumed: ResumedRecord[];
  readonly calibrations: CalibrationRecord[];
  readonly runs: RunRecord[];
  readonly failures: BenchmarkFailure[];
  ended: boolean;
}

function take(draft: Draft, record: Exclude<RecordLine, SessionRecord>): void {
  switch (record.type) {
    case 'plan':
      draft.plan = record;
      break;
    case 'resumed':
      draft.resumed.push(record);
      break;
    case 'calibration':
      draft.calibrations.push(record);
      break;
    case 'run':
      draft.runs.push(record);
      break;
    case 'failure':
      draft.failures.push(record);
      break;
  }
  draft.ended = record.type === 'end';
}

function readLine(text: string, place: string): RecordLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${place}: this line is no JSON; the file was damaged after it was written`);
  }
  const header = z.object({ type: z.literal('session'), format: z.number() }).safeParse(value);
  if (header.success && header.data.format > recordFormat) {
    throw new UsageError(
      `${place}: written by a newer bench-cli (format ${header.data.format}; this one reads up to ${recordFormat}); update bench-cli`,
    );
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(
    `${place}: ${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is not as expected'}`,
  );
}

/** Reads whole lines; what follows the last line end is given back. */
function readLines(path: string, onLine: (text: string) => void): { bytes: number; lastLine: Buffer } {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(1 << 20);
    const reader = new LineReader(lineLimitBytes, onLine, () => {
      throw new UsageError(
        `${path}: a line is longer than ${lineLimitBytes} bytes; the file is not of bench-cli`,
      );
    });
    let bytes = 0;
    for (;;) {
      const read = readSync(fd, buffer, 0, buffer.length, null);
      if (read === 0) return { bytes, lastLine: reader.rest() };
      bytes += read;
      reader.push(Buffer.from(buffer.subarray(0, read)));
    }
  } finally {
    closeSync(fd);
  }
}

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
      throw new UsageError(
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
    throw new UsageError(
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
