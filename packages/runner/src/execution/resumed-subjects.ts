import { UsageError } from '@bench-cli/results';
import { difference, type SessionRequest, type Subject } from '@bench-cli/results/recording';
import { requestOf } from '../subject/subject.ts';
import { resolveSubjects } from '../subject/subjects.ts';

/** Runs from before and after such a change cannot be compared. */
export function resumeMismatch(change: string): UsageError {
  return new UsageError('ERR_BENCH_RESUME_MISMATCH', `${change}, or start a new session`);
}

/**
 * Finds the subjects of a session that is continued. Their files can have another place by now, but must be the same.
 * @throws UsageError if a subject has changed
 */
export async function findSubjects({ subjects, settings }: SessionRequest): Promise<readonly Subject[]> {
  const requests = subjects.map((subject) => ({ name: subject.name, request: requestOf(subject) }));
  const found = await resolveSubjects(requests, settings);
  return subjects.map((then, at) => {
    const now = found[at] ?? then;
    // The file of a release has no digest in the record.
    const facts = factsOf(then.digest === undefined ? { ...now, digest: undefined } : now);
    const differing = difference(factsOf(then), facts);
    if (differing !== undefined) {
      const [fact = 'none', other = 'none'] = differing.values;
      throw resumeMismatch(`${then.name}: ${differing.name} had ${fact} and now has ${other}: restore it`);
    }
    return {
      ...then,
      ...(then.packages && { packages: then.packages.map((each) => ({ ...each, ...placeOf(each, now) })) }),
      ...(then.source && {
        source: { ...then.source, ...(now.source && { directory: now.source.directory }) },
      }),
    };
  });
}

function placeOf({ name }: { readonly name: string }, { packages }: Subject) {
  const directory = packages?.find((each) => each.name === name)?.directory;
  return directory === undefined ? {} : { directory };
}

/** What must not change in a session, by what has it. */
function factsOf({
  executable,
  runtime,
  digest,
  packages = [],
  source,
}: Subject): ReadonlyMap<string, string> {
  const file = digest === undefined ? '' : ` and SHA-256 ${digest.slice(0, 12)}`;
  const facts = new Map([[executable, `the version ${runtime.version}${file}`]]);
  for (const { name, version, integrity } of packages) facts.set(name, `${version} (${integrity})`);
  if (source?.commit !== undefined) {
    const changes = source.changes === undefined ? '' : ` with the changes ${source.changes.slice(0, 12)}`;
    facts.set(source.base, `the commit ${source.commit}${changes}`);
  }
  return facts;
}
