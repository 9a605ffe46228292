import type { SessionRequest } from '@bench-cli/results/recording';
import { newSession, type OpenSession, openSession } from '../execution/open-session.ts';
import { allAlike, findCode } from '../task/affected-files.ts';
import { loadedCode } from '../task/loaded-code.ts';
import { planBenchmarks } from '../task/planning.ts';

interface ListingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
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
    return { reasons, unaffected: [], unloaded: [], copied: undefined, fails: false };
  }
  /** Why each file can be affected, by its name. */
  const reasons = new Map<string, string>();
  let loaded: ReadonlySet<string> = new Set();
  let copied: string | undefined;
  /** Whether a benchmark cannot be planned, also under the code of the working tree if trees are compared. */
  let fails = false;
  const list = async (open: OpenSession) => {
    const { planned, failures } = await planBenchmarks(open);
    fails = failures.some(({ only }) => !inTrees || only === undefined);
    await loadedCode(open);
    const code = await findCode(planned, open, inTrees);
    ({ loaded, copied } = code);
    for (const [file, reason] of code.reasons) reasons.set(file, reason);
    for (const { file, failure } of failures) reasons.set(file, `could not be planned: ${failure.message}`);
  };
  for await (const event of openSession(newSession(request, env), list, { signal, env }))
    if (event.type === 'planning') onFile?.(event.benchmark);
  /** The files that load the same code under all subjects. */
  const unaffected = files.map(({ name }) => name).filter((name) => !reasons.has(name));
  const { changedPaths } = await import('@bench-cli/subjects/code');
  const paths = unaffected.length === 0 ? [] : await changedPaths(subjects);
  /** Paths that differ and that no benchmark loads. A benchmark can use them without loading them. */
  const unloaded = paths.filter((path) => !loaded.has(path));
  return { reasons, unaffected, unloaded, copied, fails };
}
