import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../usage-error.ts';
import {
  type BenchmarkFailure,
  type CalibrationRecord,
  type PlanRecord,
  RECORD_FORMAT,
  type RecordLine,
  type ResumedRecord,
  type RunRecord,
  type SessionRecord,
} from './line.ts';
import { LineReader } from './line-reader.ts';
import { lineSchema } from './schema.ts';

/** What was recorded of one session. */
export interface Recording {
  readonly session: SessionRecord;
  /** Undefined if the session was interrupted before it had one. */
  readonly plan: PlanRecord | undefined;
  readonly resumed: readonly ResumedRecord[];
  readonly calibrations: readonly CalibrationRecord[];
  readonly runs: readonly RunRecord[];
  readonly failures: readonly BenchmarkFailure[];
  /** Whether the session, or what continued it, came to its end. */
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
      'ERR_BENCH_RECORD',
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
  if (!existsSync(path)) throw new UsageError('ERR_BENCH_RECORD', `there is no file ${path}`);
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
        'ERR_BENCH_RECORD',
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
      'ERR_BENCH_RECORD',
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
    throw new UsageError(
      'ERR_BENCH_RECORD',
      `${place}: this line is no JSON; the file was damaged after it was written`,
    );
  }
  const header = z.object({ type: z.literal('session'), format: z.number() }).safeParse(value);
  if (header.success && header.data.format !== RECORD_FORMAT) {
    const isNewer = header.data.format > RECORD_FORMAT;
    throw new UsageError(
      'ERR_BENCH_RECORD_FORMAT',
      `${place}: written by ${isNewer ? 'a newer' : 'a pre-release of'} bench-cli (format ${header.data.format}; this one reads ${RECORD_FORMAT}); ${isNewer ? 'update bench-cli' : 'measure again'}`,
    );
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(
    'ERR_BENCH_RECORD',
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
        'ERR_BENCH_RECORD',
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
