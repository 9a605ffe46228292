import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../make-directory.ts';
import { UsageError } from '../usage-error.ts';
import { checkTogether } from './merge-check.ts';
import { type RecordedSession, type Recording, readSessions } from './read.ts';

/**
 * Reads a results file with one session, finished or not, or with the sessions of several machines that belong together:
 * all shards of one session, or the whole session of each machine.
 * @throws UsageError if it cannot be read, or its sessions do not belong together
 */
export function readRecordings(path: string): readonly [Recording, ...Recording[]] {
  const sessions = readSessions(path);
  if (sessions.length > 1) checkTogether(sessions);
  const [first, ...others] = sessions;
  return [first.recording, ...others.map(({ recording }) => recording)];
}

/**
 * Concatenates results files of several machines into one file.
 * @returns the sessions
 * @throws UsageError if they are not all finished, of one command, and complete together, and if `out` exists or cannot be
 *   written; then no file is written, nor if the process is killed
 */
export async function mergeRecordings(
  paths: readonly string[],
  out: string,
): Promise<readonly RecordedSession[]> {
  if (existsSync(out)) {
    throw new UsageError('ERR_BENCH_FILE_EXISTS', `${out} exists: choose another name with --out`);
  }
  const files = paths.map((path) => ({ path, sessions: readSessions(path) }));
  const [first, ...others] = files.flatMap(({ sessions }) => sessions);
  if (first === undefined) {
    throw new UsageError('ERR_BENCH_MERGE_INCOMPLETE', 'no file to merge: give the files of all machines');
  }
  checkTogether([first, ...others]);
  const unfinished = `${out}.${process.pid}.part`;
  try {
    makeDirectory(dirname(out));
    await using file = await open(unfinished, 'wx');
    for (const { path, sessions } of files) await append(file, path, sessions.at(-1)?.recording.tornAt);
    await file.sync();
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      'ERR_BENCH_WRITE',
      `cannot write ${out}: ${reason}; no file was written: choose another place with --out`,
    );
  }
  return [first, ...others];
}

/** @param tornAt where an incomplete last line starts, which is left out */
async function append(file: FileHandle, path: string, tornAt: number | undefined): Promise<void> {
  const end = tornAt === undefined ? Number.POSITIVE_INFINITY : tornAt - 1;
  for await (const bytes of createReadStream(path, { end })) await file.writeFile(bytes);
}
