import { checkTrusted, counted, packageDetails, UsageError } from '@bench-cli/results';
import {
  difference,
  inherited,
  type Recording,
  readRecording,
  type SessionRecord,
  type SessionRequest,
  type Subject,
} from '@bench-cli/results/recording';
import { requestOf, resolveSubjects } from '@bench-cli/subjects';
import { readEnvironment } from '../machine/environment.ts';
import { checkCopies } from '../plan/benchmark-copies.ts';
import { changedSince } from '../plan/loaded-files.ts';
import { preparationBy } from '../process/prepare.ts';
import { isRemembered } from '../record/begun-sessions.ts';

/**
 * Reads a results file to execute its session again.
 * @param trust whether this user may not have begun the session here
 * @param env the environment of its processes
 * @param fd the file, if it is open
 * @returns also the session with its subjects as they are found now, and the environment of this process
 * @throws UsageError as `resumeSession`
 */
export async function checkRecording(
  path: string,
  trust = false,
  env: NodeJS.ProcessEnv = process.env,
  fd?: number,
) {
  const recording = readRecording(path, fd);
  if (!trust) {
    if (!isRemembered(recording)) throw unknownSession(path, recording);
    checkTrusted(path, env);
  }
  const { session } = recording;
  const { request } = session;
  const environment = readEnvironment(env);
  // Results of other machines are not comparable.
  const [then, here] = [session.environment, environment].map(
    ({ cpu, cpus }) => `${cpu} with ${counted(cpus, 'CPU')}`,
  );
  if (then !== here) {
    const problem = `the session began on ${then}, but this machine is ${here}: resume it on the same kind of machine`;
    throw resumeMismatch(problem);
  }
  const found = difference(inherited(session.environment), inherited(environment));
  if (found !== undefined) {
    const [value = 'not set', other = 'not set'] = found.values;
    throw resumeMismatch(`${found.name} was ${value} and now is ${other}: set it as it was`);
  }
  checkCopies(request);
  const subjects = await findSubjects(request, env);
  const resumed: SessionRecord = { ...session, request: { ...request, subjects } };
  const { plan, loadedLater } = recording;
  const changed =
    changedSince(plan?.loaded ?? {}, resumed.request) ?? changedSince(loadedLater, resumed.request);
  if (changed !== undefined)
    throw resumeMismatch(`${changed} has changed since the session began: restore it`);
  return { recording, session: resumed, environment };
}

function unknownSession(path: string, { session }: Recording): UsageError {
  const { subjects, files } = session.request;
  const programs = subjects.map(({ executable, flags, env }) =>
    [...Object.entries(env).map(([name, value]) => `${name}=${value}`), executable, ...flags].join(' '),
  );
  const problem = `${path}: this user did not begin the session here, and to resume it runs the programs that the file names: ${programs.join('; ')} (${files.length} benchmark files, first ${files[0]?.path ?? 'none'}); add --trust if you trust the file, or start a new session`;
  return new UsageError('ERR_BENCH_RESUME_FOREIGN', problem);
}

/** Runs before and after a change of these cannot be compared. */
export function resumeMismatch(change: string): UsageError {
  return new UsageError('ERR_BENCH_RESUME_MISMATCH', `${change}, or start a new session`);
}

/** Finds the subjects of a resumed session. Their files may have moved, but must not have changed. */
async function findSubjects(
  { subjects, settings }: SessionRequest,
  env: NodeJS.ProcessEnv,
): Promise<readonly Subject[]> {
  const requests = subjects.map((subject) => ({ name: subject.name, request: requestOf(subject) }));
  const found = await resolveSubjects(requests, {
    ...settings,
    prepare: preparationBy(settings.prepare),
    env,
  });
  return subjects.map((then, at) => {
    const now = found[at] ?? then;
    // The file of a release has no digest in the record.
    const facts = factsOf(then.digest === undefined ? { ...now, digest: undefined } : now);
    const differing = difference(factsOf(then), facts);
    if (differing !== undefined) {
      const [fact = 'none', other = 'none'] = differing.values;
      throw resumeMismatch(`${then.name}: ${differing.name} had ${fact} and now has ${other}: restore it`);
    }
    const packages = then.packages?.map((each) => {
      const { directory = each.directory } = now.packages?.find(({ name }) => name === each.name) ?? {};
      return { ...each, directory };
    });
    const { directory = then.source?.directory } = now.source ?? {};
    const source = then.source && directory !== undefined && { ...then.source, directory };
    return { ...then, ...(packages && { packages }), ...(source && { source }) };
  });
}

/** The facts of a subject that must not change in a session, by the file or package that they are of. */
function factsOf({ executable, runtime, digest, packages = [], source }: Subject) {
  const file = digest === undefined ? '' : ` and SHA-256 ${digest.slice(0, 12)}`;
  const facts = new Map([[executable, `the version ${runtime.version}${file}`]]);
  for (const each of packages) facts.set(each.name, packageDetails(each));
  if (source?.commit !== undefined) {
    const changes = source.changes === undefined ? '' : ` with the changes ${source.changes.slice(0, 12)}`;
    facts.set(source.base, `the commit ${source.commit}${changes}`);
  }
  return facts;
}
