import { UsageError } from '@bench-cli/results';
import {
  difference,
  inherited,
  type Recording,
  readRecording,
  type SessionRecord,
} from '@bench-cli/results/recording';
import { machineText, readEnvironment } from '../machine/environment.ts';
import { digestsOf } from '../plan/benchmark-copies.ts';
import { isRemembered } from '../record/begun-sessions.ts';
import { findSubjects, resumeMismatch } from './resumed-subjects.ts';

/**
 * Reads a results file to execute its session again.
 * @param trust whether this user may not have begun the session here
 * @returns also the session with its subjects as they are found now
 * @throws UsageError as `resumeSession`
 */
export async function checkRecording(
  path: string,
  trust = false,
): Promise<{ readonly recording: Recording; readonly session: SessionRecord }> {
  const recording = readRecording(path);
  if (!trust && !isRemembered(path)) throw unknownSession(path, recording);
  return { recording, session: await checkUnchanged(recording) };
}

async function checkUnchanged({ session }: Recording): Promise<SessionRecord> {
  const { request, digests } = session;
  const [then, here] = [session.environment, readEnvironment()].map(machineText);
  if (then !== here) {
    throw resumeMismatch(
      `the session began on ${then}, but this machine is ${here}: resume it on the same kind of machine`,
    );
  }
  const found = difference(inherited(session.environment), inherited(readEnvironment()));
  if (found !== undefined) {
    const [value = 'not set', other = 'not set'] = found.values;
    throw resumeMismatch(`${found.name} was ${value} and now is ${other}: set it as it was`);
  }
  const now = digestsOf(request);
  const changed = request.files.find(({ name }) => now[name] !== digests[name]);
  if (changed !== undefined) {
    throw resumeMismatch(`${changed.path} has changed since the session began: restore it`);
  }
  return { ...session, request: { ...request, subjects: await findSubjects(request) } };
}

function unknownSession(path: string, { session }: Recording): UsageError {
  const { subjects, files } = session.request;
  const programs = subjects.map(({ executable, flags, env }) =>
    [...Object.entries(env).map(([name, value]) => `${name}=${value}`), executable, ...flags].join(' '),
  );
  return new UsageError(
    'ERR_BENCH_RESUME_FOREIGN',
    `${path}: this user did not begin the session here, and to resume it runs the programs that the file names: ${programs.join('; ')} (${files.length} benchmark files, first ${files[0]?.path ?? 'none'}); add --trust if you trust the file, or start a new session`,
  );
}
