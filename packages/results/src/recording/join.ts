import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { calledCommand, resumeCommand } from '../called-command.ts';
import { missingShards } from '../compared/missing-result.ts';
import { makeDirectory } from '../make-directory.ts';
import { allSettings, optionOf } from '../settings/settings.ts';
import { packageDetails, runtimeText, sourceDetails, subjectText } from '../subject-names.ts';
import { UsageError } from '../usage-error.ts';
import { changedBenchmark, changedFile, difference, inherited } from './difference.ts';
import type { SessionRecord, Shard, Subject } from './line.ts';
import { type Recording, readSessions, recordingPlace } from './read.ts';
import { settingsOfRequest } from './recorded-settings.ts';

/** The sessions of results files, in the order of the files. */
export type Recordings = readonly [Recording, ...Recording[]];

/**
 * Reads the results file of a session, or joins the files of its shards. One file can hold several shards.
 * @param options `allowMissing`: whether shards can be missing and sessions unfinished; default: no
 * @throws UsageError for an unreadable file, a session that does not belong to the others, or missing results
 */
export function readRecordings(
  files: readonly string[],
  { allowMissing = false }: { readonly allowMissing?: boolean } = {},
): Recordings {
  const [first, ...others] = files.flatMap((file) => readSessions(file));
  const none = 'no results file is given: give the files of all shards';
  if (first === undefined) throw new UsageError('ERR_BENCH_JOIN_INCOMPLETE', none);
  const recordings: Recordings = [first, ...others];
  for (const other of others) checkSameRequest(first, other);
  checkDistinct(recordings);
  checkDivision(recordings);
  if (!allowMissing) checkComplete(recordings);
  return recordings;
}

/**
 * Writes the files of recordings into one file, one after the other.
 * @throws UsageError if results are missing, if a file has changed since it was read, or if `out` exists or
 * cannot be written; then, or if the process is killed, no file is written
 */
export async function writeRecordings(recordings: Recordings, out: string): Promise<void> {
  checkNew(out);
  checkComplete(recordings);
  const unfinished = `${out}.${process.pid}.part`;
  try {
    makeDirectory(dirname(out));
    await using file = await open(unfinished, 'wx');
    for (const [path = '', sessions] of Map.groupBy(recordings, (recording) => recording.file))
      await append(file, path, sessions.at(-1)?.lines);
    await file.sync();
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `cannot write ${out}: ${reason}; no file was written: choose another place with --out`;
    throw new UsageError('ERR_BENCH_WRITE', problem);
  }
}

/** @throws UsageError if the file exists: results are never overwritten */
export function checkNew(out: string): void {
  if (!existsSync(out)) return;
  throw new UsageError('ERR_BENCH_FILE_EXISTS', `${out} exists: choose another name with --out`);
}

/** Appends the checked lines, without later additions such as an incomplete line. */
async function append(file: FileHandle, path: string, lines: Recording['lines']): Promise<void> {
  if (lines === undefined) return;
  // Opening a named pipe without a writer would block otherwise.
  await using source = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let digest = 0;
  for await (const bytes of source.createReadStream({ start: 0, end: lines.bytes - 1, autoClose: false })) {
    digest = crc32(bytes, digest);
    await file.writeFile(bytes);
  }
  if (digest === lines.digest) return;
  const problem = `${path} was changed while it was joined, so no file was written: join the files again when no program writes them`;
  throw new UsageError('ERR_BENCH_RECORD', problem);
}

function checkComplete(recordings: Recordings): void {
  const unfinished = recordings.find(({ ended, plan }) => !ended || plan === undefined);
  if (unfinished !== undefined) {
    const { session, file, line } = unfinished;
    const problem = `${recordingPlace(unfinished)} is not finished: ${line === undefined ? `continue it first with ${resumeCommand(session.request, file ?? '')}` : 'continue the file that it was copied from, and join the files again'}`;
    throw new UsageError('ERR_BENCH_JOIN_INCOMPLETE', problem);
  }
  const missing = missingShards(recordings);
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ index, count }) => `${index}/${count}`).join(', ');
  const problem = `missing shards: ${names}; give the files of all ${first.count} shards`;
  throw new UsageError('ERR_BENCH_JOIN_INCOMPLETE', problem);
}

function checkSameRequest(a: Recording, b: Recording): void {
  const [inA, inB] = [a.session, b.session];
  const places = `${recordingPlace(b)} differs from ${recordingPlace(a)} in`;
  const setting = difference(settingAspects(inA), settingAspects(inB));
  const found = setting ?? difference(subjectAspects(inA), subjectAspects(inB));
  if (found === undefined) return;
  const [ofA = 'none', ofB = 'none'] = found.values;
  const all = new Set([inA, inB].flatMap(({ request }) => request.subjects.map(subjectText)));
  const remedy = setting
    ? 'files that are joined must be the shards of one session: give the others alone'
    : `analyze each file alone, or measure all subjects in one session, with ${calledCommand(['compare'])} and a --subject for each of: ${[...all].join('; ')}`;
  const problem = `${places} ${found.name}: ${ofB} instead of ${ofA}; ${remedy}`;
  throw new UsageError('ERR_BENCH_JOIN_MISMATCH', problem);
}

/** Everything but the subjects that must be equal on all machines. */
function settingAspects({ request, environment }: SessionRecord): Map<string, string> {
  const { command, subjects, files, settings } = request;
  const values = { ...settingsOfRequest(request), test: settings.test, jobs: settings.jobs && 'used' };
  const platforms = new Set(subjects.map(({ runtime: { platform, arch } }) => `${platform} ${arch}`));
  return new Map([
    ['the command', command],
    ['the platform', [...platforms].join(', ')],
    ...Object.entries(values).flatMap(([name, value]): [string, string][] => {
      const setting = allSettings[name];
      return setting?.isView ? [] : [[setting === undefined ? name : optionOf(setting), textOf(value)]];
    }),
    ...inherited(environment),
    ...files.map(({ name }): [string, string] => [`the benchmark ${name}`, 'selected']),
  ]);
}

function subjectAspects({ request: { subjects, settings } }: SessionRecord): Map<string, string> {
  const fieldsOf = (subject: Subject) =>
    Object.entries(aspectOfField).flatMap(([field, aspect]): [string, string][] =>
      aspect === undefined
        ? []
        : [[`the ${field} of ${subject.name}`, textOf(aspect(subject, settings.cwd))]],
    );
  return new Map([
    ['the order of subjects', subjects.map(({ name }) => name).join(', ')],
    ...subjects.flatMap(fieldsOf),
  ]);
}

/** The fields of a subject that must be equal. Machines may have the same files in different places. */
const aspectOfField: {
  readonly [Field in keyof Subject]-?: ((subject: Subject, cwd: string) => unknown) | undefined;
} = {
  name: undefined,
  label: undefined,
  executable: undefined,
  flags: ({ flags }) => flags,
  env: ({ env }) => Object.entries(env).sort(),
  cwd: ({ cwd }, base) => cwd && relative(base, cwd),
  runtime: ({ runtime }) => [runtimeText(runtime), runtime.v8 ?? []].flat().join(', V8 '),
  digest: ({ digest }) => digest && `the file with SHA-256 ${digest.slice(0, 12)}`,
  packages: ({ packages }) => packages?.map(packageDetails),
  source: ({ source }) => source && `${sourceDetails(source)}${source.path && ` in ${source.path}`}`,
};

function textOf(value: unknown): string {
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The runs of a file that is given twice would count twice. */
function checkDistinct(recordings: Recordings): void {
  for (const [at, recording] of recordings.entries()) {
    const isSame = ({ session, runs }: Recording) =>
      isDeepStrictEqual(session, recording.session) && isDeepStrictEqual(runs[0], recording.runs[0]);
    const same = recordings.slice(0, at).find(isSame);
    if (same === undefined) continue;
    const [place, former] = [recording, same].map(recordingPlace);
    const problem =
      former === place
        ? `${place} is given twice: give it once`
        : `${place} is the same recording as ${former}: give only one of them`;
    throw new UsageError('ERR_BENCH_JOIN_DUPLICATE', problem);
  }
}

/** Checks that recordings are distinct shards of one session, in any order. Some can be missing. */
function checkDivision(recordings: Recordings): void {
  const [first, ...others] = recordings;
  const { shard } = first.session.request;
  for (const other of others) {
    const { shard: otherShard } = other.session.request;
    if (shard === undefined && otherShard === undefined) {
      const problem = `${recordingPlace(other)} and ${recordingPlace(first)} are whole sessions of the same cases, and each case is measured on one machine: show each session alone, with ${calledCommand(['analyze', { placeholder: 'FILE' }])}`;
      throw new UsageError('ERR_BENCH_JOIN_UNSUPPORTED', problem);
    }
    if (shard?.count !== otherShard?.count) {
      const problem = `${recordingPlace(first)} is ${divisionText(shard)}, but ${recordingPlace(other)} is ${divisionText(otherShard)}: give all shards of one division`;
      throw new UsageError('ERR_BENCH_JOIN_MISMATCH', problem);
    }
  }
  for (const recording of recordings) checkSamePlan(recordings, recording);
  for (const [index, [a, b]] of Map.groupBy(recordings, ({ session }) => session.request.shard?.index)) {
    if (a === undefined || b === undefined) continue;
    const problem = `shard ${index}/${shard?.count} is in both ${recordingPlace(a)} and ${recordingPlace(b)}: give each shard once`;
    throw new UsageError('ERR_BENCH_JOIN_DUPLICATE', problem);
  }
}

function divisionText(shard: Shard | undefined): string {
  return shard === undefined ? 'a whole session' : `shard ${shard.index}/${shard.count}`;
}

/** Compares a plan with the first one. An interrupted session can lack a plan. */
function checkSamePlan(recordings: Recordings, b: Recording): void {
  const a = recordings.find(({ plan }) => plan !== undefined);
  if (a?.plan === undefined || b.plan === undefined) return;
  const file = changedFile(a.plan.loaded, b.plan.loaded) ?? changedFile(a.loadedLater, b.loadedLater, false);
  if (file !== undefined) {
    const problem = `${recordingPlace(b)} and ${recordingPlace(a)} loaded different files ${file}: install and build the same on all machines, and measure again`;
    throw new UsageError('ERR_BENCH_JOIN_MISMATCH', problem);
  }
  const changed = changedBenchmark(a.plan, b.plan);
  if (changed === undefined) return;
  const problem = `${recordingPlace(b)} and ${recordingPlace(a)} planned different cases of ${changed}: check what its parameters depend on, and its failures, then measure again on all machines`;
  throw new UsageError('ERR_BENCH_JOIN_MISMATCH', problem);
}
