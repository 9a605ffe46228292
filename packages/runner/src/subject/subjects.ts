import { subjectTitles, UsageError } from '@bench-cli/results';
import type { Subject } from '@bench-cli/results/recording';
import { resolveSubject } from './subject.ts';
import type { SubjectOptions, SubjectRequest } from './subject-request.ts';
import type { NamedSubject } from './subject-text.ts';

/** The subjects of a session by name, or in a list that gives names to some of them; in a comparison the baseline first. */
export type SubjectRequests = Readonly<Record<string, SubjectRequest>> | readonly NamedSubject[];

export function subjectList(requests: SubjectRequests): readonly NamedSubject[] {
  return isList(requests) ? requests : Object.entries(requests).map(([name, request]) => ({ name, request }));
}

/**
 * Resolves subjects at the same time. If one fails, the work for the others ends. A subject without a name gets its title, such
 * as `Node.js 26.10.0`.
 * @throws UsageError as `resolveSubject`, and if two subjects have the same name
 */
export async function resolveSubjects(requests: readonly NamedSubject[], options: SubjectOptions = {}) {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const resolving = requests.map(({ name, request }, at) =>
    resolveSubject(name ?? `subject ${at + 1}`, request, { ...options, signal }),
  );
  try {
    return withNames(await Promise.all(resolving), requests);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(resolving);
    throw error;
  }
}

function withNames(subjects: readonly Subject[], requests: readonly NamedSubject[]): readonly Subject[] {
  const titles = subjectTitles(subjects);
  const names = subjects.map(({ name }, at) => requests[at]?.name ?? titles[at] ?? name);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) {
    throw new UsageError(
      'ERR_BENCH_SUBJECT',
      `two subjects have the name "${repeated}": give each its own name, as in --subject a=node@22 --subject b=node@22`,
    );
  }
  return subjects.map((subject, at) => ({ ...subject, name: names[at] ?? subject.name }));
}

function isList(requests: SubjectRequests): requests is readonly NamedSubject[] {
  return Array.isArray(requests);
}
