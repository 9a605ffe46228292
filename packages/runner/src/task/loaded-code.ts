import { UsageError } from '@bench-cli/results';
import type { LoadedCode } from '@bench-cli/results/recording';
import type { OpenSession } from '../execution/open-session.ts';

/**
 * The files that the subjects have loaded while planning, with the times of their builds. Warns of builds
 * that may not be of their sources.
 * @throws UsageError if a subject loads the build of another subject although their sources differ, unless
 * equal code may be compared
 */
export async function loadedCode({
  request,
  session,
  sessionFiles,
  signal,
  emit,
}: OpenSession): Promise<Record<string, LoadedCode>> {
  const loaded = sessionFiles.planned();
  for (const subject of session.request.subjects) {
    if (subject.source === undefined) continue;
    const { loadedBuilds } = await import('@bench-cli/subjects/code');
    const builds = await loadedBuilds(subject, loaded, session.request, signal);
    const builtAt = builds
      .map((build) => build.builtAt)
      .sort()
      .at(-1);
    if (builtAt !== undefined) loaded[subject.name] = { files: {}, ...loaded[subject.name], builtAt };
    for (const { path, doubt, stale } of builds) {
      if (stale !== undefined && !request.settings.allowSame) {
        const problem = `${stale}, so ${subject.name} would load the build of other sources (${path}): build it, or let --prepare build a copy: git:. in place of .; --allow-same measures it as it is`;
        throw new UsageError('ERR_BENCH_STALE_BUILD', problem);
      }
      if (doubt === undefined) continue;
      const message = `${subject.name} loads ${path}, which git ignores and which may not be a build of its sources: ${doubt}; build it again, or let --prepare build a copy: git:. in place of .`;
      await emit({ type: 'warning', message });
    }
  }
  return loaded;
}
