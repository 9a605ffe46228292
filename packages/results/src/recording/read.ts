import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { calledCommand } from '../called-command.ts';
import { caseKey } from '../case.ts';
import { UsageError } from '../usage-error.ts';
import {
  type BenchmarkFailure,
  LINE_LIMIT_BYTES,
  type LoadedCode,
  type PlanRecord,
  RECORD_FORMAT,
  type RecordLine,
  type ResumedRecord,
  type RunRecord,
  type SessionRecord,
  scheduledConfiguration,
  type VersionRecord,
} from './line.ts';
import { digestOfLine, isChained } from './line-chain.ts';
import { lineReader } from './line-reader.ts';
import { byPlan } from './run-order.ts';
import { adaptiveRuns } from './run-rule.ts';
import { lineSchema } from './schema.ts';

/** The recorded lines of one session, by kind. */
export interface Recording {
  /** Includes the maximum number of runs of the last extension. */
  readonly session: SessionRecord;
  /** Undefined if the session was interrupted before its plan was known. */
  readonly plan: PlanRecord | undefined;
  /** Files that subjects loaded only in runs, by subject. */
  readonly loadedLater: Readonly<Record<string, LoadedCode>>;
  readonly resumed: readonly ResumedRecord[];
  readonly versions: readonly VersionRecord[];
  /** In the order of the plan, round by round. The order of the lines is random. */
  readonly runs: readonly RunRecord[];
  readonly metricRuns: readonly RunRecord[];
  /** The first runs of cases whose rounds run in turns. */
  readonly looks: readonly RunRecord[];
  readonly failures: readonly BenchmarkFailure[];
  /** The number of repeated lines, which are left out: two processes wrote the file. */
  readonly repeated: number;
  /** Whether the session or its continuation executed everything possible. */
  readonly ended: boolean;
  /** Undefined for a session that was not read from a file. */
  readonly file?: string | undefined;
  /** The line of the session as the file has it. */
  readonly firstLine?: string | undefined;
  /** The line of the session, if the file has several sessions. */
  readonly line?: number | undefined;
  /** The complete lines of the file, with their CRC-32; undefined without a file. */
  readonly lines?: { readonly bytes: number; readonly digest: number } | undefined;
  /** The byte offset of an incomplete last line; undefined if the last line is complete. */
  readonly tornAt: number | undefined;
}

/** The file of a recording, with the line of its session if the file has several. */
export function recordingPlace({ file = '', line }: Pick<Recording, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * Reads a results file with one session. Skips an incomplete last line and repeated runs; other damage is an
 * error.
 * @param fd the file, if it is open
 * @throws UsageError with the file and the line
 */
export function readRecording(path: string, fd?: number): Recording {
  const [first, second] = readSessions(path, fd);
  if (second === undefined) return first;
  const problem = `${path} contains several sessions, and only the file of a single one can be continued: give that file`;
  throw new UsageError('ERR_BENCH_RECORD_JOINED', problem);
}

/**
 * Reads all sessions of a file in their order, without checking that they belong together.
 * @param fd the file, if it is open
 * @throws UsageError with the file and the line
 */
export function readSessions(path: string, fd?: number): readonly [Recording, ...Recording[]] {
  const sessions: ReturnType<typeof sessionAt>[] = [];
  let line = 0;
  let digest = 0;
  const { bytes, lastLine } = readLines(path, fd, (whole) => {
    line++;
    digest = crc32(`${whole}\n`, digest);
    // Some editors write a byte order mark.
    const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole;
    if (sessions.length === 0 && !text.startsWith(sessionStart)) throw notResults(path);
    const record = readLine(text, `${path}:${line}`);
    if (record.type === 'session') sessions.push(sessionAt(line, record, text));
    const current = sessions.at(-1);
    if (current === undefined) throw notResults(path);
    // Two processes that write the file at once both continue the lines that they found.
    const former = record.type === 'session' ? [0] : current.digests;
    if (former.findLast((before) => isChained(text, before)) === undefined) {
      const problem = `${path}:${line}: the line or one before it was changed, removed, inserted or moved after it was written: restore the file or measure again; to analyze a part of the results, select it with --where instead of editing the file`;
      throw new UsageError('ERR_BENCH_RECORD', problem);
    }
    current.digests.push(digestOfLine(text));
    if (record.type === 'session') return;
    const isNew =
      record.type === 'run'
        ? current.isFirst(record)
        : record.type !== 'end' || current.lines.at(-1)?.type !== 'end';
    if (isNew) current.lines.push(record);
    else current.repeated++;
  });
  const tornAt = lastLine.length > 0 ? bytes - lastLine.length : undefined;
  const [first, ...others] = sessions.map(({ line, session, firstLine, lines, repeated }, at) => ({
    ...recordingOf(session, lines),
    repeated,
    tornAt: at === sessions.length - 1 ? tornAt : undefined,
    file: path,
    lines: { bytes: bytes - lastLine.length, digest },
    firstLine,
    line: sessions.length === 1 ? undefined : line,
  }));
  if (first !== undefined) return [first, ...others];
  const cut = lastLine.toString('utf8');
  if (!cut.startsWith(sessionStart) && !sessionStart.startsWith(cut)) throw notResults(path);
  const problem = `${path} contains no session: ${bytes === 0 ? 'it is empty' : 'its first line is incomplete'}; measure again`;
  throw new UsageError('ERR_BENCH_RECORD', problem);
}

const sessionStart = '{"type":"session"';

function notResults(path: string): UsageError {
  const problem = `${path}:1: not a results file: its first line does not describe a session; give a file that bench-cli wrote with --out`;
  return new UsageError('ERR_BENCH_RECORD', problem);
}

function sessionAt(line: number, session: SessionRecord, firstLine: string) {
  const lines: RecordLine[] = [];
  return { line, session, firstLine, lines, isFirst: firstRuns(), digests: [] as number[], repeated: 0 };
}

/**
 * Tells whether a run is new in its session. Repeated runs are those of a second process, or repeated lines.
 * One process can have several results of a round, and several processes look at a case before it takes
 * turns.
 */
function firstRuns(): (run: RunRecord) => boolean {
  const firsts = new Map<string, { readonly startedAt: string; readonly results: number }>();
  return (run) => {
    const { kind, benchmark, subject, round, result = 0, startedAt } = run;
    const ofCase = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
    const key = JSON.stringify([kind, ofCase, subject, round, kind === 'look' ? startedAt : '']);
    const first = firsts.get(key) ?? { startedAt, results: 0 };
    if (first.startedAt !== startedAt || result < first.results) return false;
    firsts.set(key, { startedAt, results: result + 1 });
    return true;
  };
}

/** A session with a larger maximum of adaptive runs or more time. A smaller maximum changes nothing. */
export function extended(
  session: SessionRecord,
  { maxRuns = 0, budgetMs }: Pick<ResumedRecord, 'maxRuns' | 'budgetMs'>,
): SessionRecord {
  const runs = adaptiveRuns(session.request.runs);
  if (runs === undefined) return session;
  const extendedFrom = [...(runs.extendedFrom ?? []), runs.maxRuns];
  const longer = {
    ...runs,
    ...(maxRuns > runs.maxRuns && { maxRuns, extendedFrom }),
    ...(budgetMs !== undefined && { budgetMs }),
  };
  return { ...session, request: { ...session.request, runs: longer } };
}

export function recordingOf(session: SessionRecord, lines: readonly RecordLine[]): Recording {
  const plan = lines.findLast((line) => line.type === 'plan');
  const subjects = session.request.subjects.map(({ name }) => name);
  const inOrder = byPlan(plan ?? { benchmarks: [] }, subjects);
  const ofKind = Map.groupBy(inOrder(lines.filter((line) => line.type === 'run')), ({ kind }) => kind);
  const resumed = lines.filter((line) => line.type === 'resumed');
  return {
    session: resumed.reduce(extended, session),
    plan,
    loadedLater: loadedBySubject(lines),
    resumed,
    versions: lines.filter((line) => line.type === 'version'),
    runs: ofKind.get('rate') ?? [],
    metricRuns: ofKind.get('metrics') ?? [],
    looks: ofKind.get('look') ?? [],
    failures: lines.filter((line) => line.type === 'failure'),
    repeated: 0,
    ended: lines.at(-1)?.type === 'end',
    tornAt: undefined,
  };
}

function loadedBySubject(lines: readonly RecordLine[]): Recording['loadedLater'] {
  const loaded = lines.filter((line) => line.type === 'loaded');
  const bySubject = Map.groupBy(loaded, ({ subject }) => subject);
  return Object.fromEntries(
    Array.from(bySubject, ([subject, records]) => [
      subject,
      { files: Object.fromEntries(records.flatMap(({ files }) => Object.entries(files))) },
    ]),
  );
}

function readLine(text: string, place: string): RecordLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const problem = `${place}: the line is not JSON: the file was damaged after it was written; restore it or measure again`;
    throw new UsageError('ERR_BENCH_RECORD', problem);
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { type, format }: { readonly type?: unknown; readonly format?: unknown } = Object(value);
  if (type === 'session' && Number.isFinite(format) && format !== RECORD_FORMAT) {
    const problem = `${place}: written by another version of bench-cli (format ${format}; this version reads format ${RECORD_FORMAT}): update bench-cli, or measure again`;
    throw new UsageError('ERR_BENCH_RECORD_FORMAT', problem);
  }
  const issue = parsed.error.issues[0];
  const problem = `${place}: invalid ${issue?.path.join('.') || 'line'}: ${issue?.message}; the file was changed after it was written: restore it or measure again`;
  throw new UsageError('ERR_BENCH_RECORD', problem);
}

/** The start of the JSON of node:bench, vitest and mitata. */
const toolReport = /^\{\s*"(?:type":"bench:|numTotalTestSuites":|layout":)/;

/** Reads the complete lines, and returns the bytes after the last line end. */
function readLines(
  path: string,
  given: number | undefined,
  onLine: (text: string) => void,
): { bytes: number; lastLine: Buffer } {
  const fd = given ?? openFile(path);
  try {
    if (!fstatSync(fd).isFile()) {
      const problem = `${path} is not a file: give a file that bench-cli wrote with --out`;
      throw new UsageError('ERR_BENCH_RECORD', problem);
    }
    const buffer = Buffer.alloc(1 << 20);
    const reader = lineReader(LINE_LIMIT_BYTES, onLine, () => {
      const problem = `${path} is not a results file: a line is longer than ${LINE_LIMIT_BYTES} bytes; give a file that bench-cli wrote with --out`;
      throw new UsageError('ERR_BENCH_RECORD', problem);
    });
    let bytes = 0;
    for (;;) {
      const read = readSync(fd, buffer, 0, buffer.length, bytes);
      if (read === 0) return { bytes, lastLine: reader.rest() };
      if (bytes === 0 && toolReport.test(buffer.toString('latin1', 0, Math.min(read, 100)))) {
        const problem = `${path} is a report of another tool, whose one process cannot be judged: run the benchmark file itself with ${calledCommand(['run'])} or ${calledCommand(['compare'])}`;
        throw new UsageError('ERR_BENCH_TOOL_REPORT', problem);
      }
      bytes += read;
      reader.push(Buffer.from(buffer.subarray(0, read)));
    }
  } finally {
    if (given === undefined) closeSync(fd);
  }
}

function openFile(path: string): number {
  try {
    // Opening a named pipe without a writer would block otherwise.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (Object(error).code !== 'ENOENT') throw error;
    throw new UsageError('ERR_BENCH_FILE_NOT_FOUND', `file not found: ${path}; check the path`);
  }
}
