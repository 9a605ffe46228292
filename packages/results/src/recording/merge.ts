import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { checkTogether } from './merge-check.ts';
import { type RecordedSession, type Recording, readSessions } from './read.ts';

/**
 * Reads a file of results with one session, finished or not, or with those of several machines that belong together:
 * all shards of one session, or the whole of it from each machine.
 * @throws UsageError when it cannot be read, or its sessions do not belong together
 */
export function readRecordings(path: string): readonly [Recording, ...Recording[]] {
  const sessions = readSessions(path);
  if (sessions.length > 1) checkTogether(sessions);
  const [first, ...others] = sessions;
  return [first.recording, ...others.map(({ recording }) => recording)];
}

/**
 * Puts files of results together into one, which has their sessions one after the other.
 * @returns the sessions
 * @throws UsageError when they are not all finished, of one command, and complete together, or when `out` exists or
 *   cannot be written; then nothing is written
 */
export async function mergeRecordings(
  paths: readonly string[],
  out: string,
): Promise<readonly RecordedSession[]> {
  if (existsSync(out)) throw new UsageError('ERR_BENCH_MERGE', `${out} exists; give --out another name`);
  const files = paths.map((path) => ({ path, sessions: readSessions(path) }));
  const [first, ...others] = files.flatMap(({ sessions }) => sessions);
  if (first === undefined)
    throw new UsageError('ERR_BENCH_MERGE', 'there is nothing to merge; name the files of all machines');
  checkTogether([first, ...others]);
  const file = await create(out);
  try {
    for (const { path, sessions } of files) await append(file, path, sessions.at(-1)?.recording.tornAt);
    await file.sync();
  } catch (error) {
    await rm(out, { force: true });
    throw new UsageError(
      'ERR_BENCH_MERGE',
      `cannot write to ${out}: ${reasonOf(error)}; nothing was written`,
    );
  } finally {
    await file.close();
  }
  return [first, ...others];
}

async function create(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(path, 'wx');
  } catch (error) {
    throw new UsageError('ERR_BENCH_MERGE', `cannot write to ${path}: ${reasonOf(error)}`);
  }
}

/** @param tornAt where the file ends before a line that was cut off */
async function append(file: FileHandle, path: string, tornAt: number | undefined): Promise<void> {
  const end = tornAt === undefined ? Number.POSITIVE_INFINITY : tornAt - 1;
  for await (const bytes of createReadStream(path, { end })) await file.writeFile(bytes);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
