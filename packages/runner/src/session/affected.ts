import type { SessionRequest } from '@bench-cli/results/recording';
import { newSession, type OpenSession, openSession, type ProcessOptions } from '../execution/open-session.ts';
import { allAlike, findCode } from '../task/affected-files.ts';
import { loadedCode, planBenchmarks } from '../task/planning.ts';

interface ListingOptions extends ProcessOptions {
  /** Called before the modules of a file are listed. */
  readonly onFile?: ((name: string) => void) | undefined;
  /** Whether changed benchmarks count of which all subjects execute one copy. Default: false. */
  readonly inTrees?: boolean | undefined;
}

/** Finds the benchmark files that can differ between subjects, and changed files that no benchmark loads. */
export async function affectedFiles(
  request: SessionRequest,
  { signal, env, onFile, inTrees = false }: ListingOptions = {},
) {
  const { subjects, files } = request;
  if (!allAlike(subjects)) {
    const reason = 'the subjects differ in more than their files';
    const reasons = new Map(files.map(({ name }) => [name, reason]));
    return { reasons, unaffected: [], unloaded: [], bundled: [], copied: undefined, fails: false };
  }
  /** Why each file can be affected, by its name. */
  const reasons = new Map<string, string>();
  let loaded: ReadonlySet<string> = new Set();
  let changed: ReadonlySet<string> = loaded;
  let copied: string | undefined;
  /** Whether a benchmark cannot be planned, also under the code of the working tree if trees are compared. */
  let fails = false;
  const list = async (open: OpenSession) => {
    const { planned, failures } = await planBenchmarks(open);
    fails = failures.some(({ only }) => !inTrees || only === undefined);
    await loadedCode(open);
    const code = await findCode(planned, open, inTrees);
    ({ loaded, changed, copied } = code);
    for (const [file, reason] of code.reasons) reasons.set(file, reason);
    for (const { file, failure } of failures) reasons.set(file, `could not be planned: ${failure.message}`);
  };
  for await (const event of openSession(newSession(request, env), list, { signal, env }))
    if (event.type === 'planning') onFile?.(event.benchmark);
  /** The files that load the same code under all subjects. */
  const unaffected = files.map(({ name }) => name).filter((name) => !reasons.has(name));
  const { changedPaths, unloadedPaths } = await import('@bench-cli/subjects/code');
  const paths = unaffected.length === 0 ? [] : await changedPaths(subjects, signal);
  const directory = subjects.findLast(({ source }) => source)?.source?.directory ?? '';
  const unloaded = await unloadedPaths(paths, loaded, { changed, directory }, signal);
  return { reasons, unaffected, ...unloaded, copied, fails };
}
