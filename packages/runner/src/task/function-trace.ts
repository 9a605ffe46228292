import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { agentPath, type FunctionsOrder } from '@bench-cli/agent';
import { functionKey, type TracedFunction, UsageError } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { PlacedSubject } from '@bench-cli/subjects';
import { isFile, orElse, propertyIn } from '@bench-cli/system';
import { newSession, type OpenSession, openSession } from '../execution/open-session.ts';
import { checkParameters } from '../plan/set-parameters.ts';
import { thrownIn } from '../process/supervisor.ts';
import type { ScriptSupport } from '../suite/script-support.ts';
import type { CheckOptions } from './benchmark-check.ts';
import { planBenchmarks } from './planning.ts';
import { profilePlanned } from './profiling.ts';

/** Of each case: with fewer samples, the shares of functions are too uncertain. */
const profiles = { profiles: 5, enoughSamples: 2000 };

/**
 * Profiles each case, and lists the functions of the project, with those that its benchmarks execute or that
 * it exports.
 *
 * @param request one subject
 * @throws UsageError if a value is set for an unknown parameter, or for another runtime than Node.js
 */
export function traceFunctions(request: SessionRequest, { signal, env }: CheckOptions = {}) {
  return openSession(newSession(request, env), trace, { signal, env });
}

async function trace(open: OpenSession): Promise<void> {
  const { request, supervisor, emit } = open;
  const [subject] = request.subjects;
  if (subject?.runtime.name !== 'node')
    throw new UsageError('ERR_BENCH_CHECK', '--functions requires a subject under Node.js');
  const directory = realpathSync(subject.cwd ?? subject.source?.directory ?? request.settings.cwd);
  const paths = request.files.map(({ path }) => path).filter(isFile);
  const benchmarks = new Set(
    paths.map((path) => relative(directory, realpathSync(path)).replaceAll(sep, '/')),
  );
  const file = join(supervisor.directory, 'functions.json');
  const order = { file, root: pathToFileURL(directory + sep).href };
  const functions = new Map<string, TracedFunction>();
  /** The functions that a process has written, without those of benchmarks. */
  const take = () => {
    const written: readonly TracedFunction[] = isFile(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    rmSync(file, { force: true });
    return written.filter(({ place }) => !benchmarks.has(fileOf(place)));
  };
  const add = (each: TracedFunction) => {
    const isExecuted = each.isExecuted || functions.get(functionKey(each))?.isExecuted === true;
    functions.set(functionKey(each), { ...each, isExecuted });
  };
  open.listen({ run: () => take().forEach(add) });
  const { planned } = await planBenchmarks(open);
  checkParameters(request.settings, planned);
  const cases = planned.flatMap(({ name, configurations }) =>
    configurations.map((configuration) => ({ benchmark: name, configuration })),
  );
  const plan = { directory: supervisor.directory, ...profiles, functions: order };
  await profilePlanned(planned, cases, open, plan);
  const supports = planned.flatMap(({ scripts }) => scripts.get(subject.name)?.support ?? []);
  const support = supports.find(({ compiles }) => compiles) ?? supports[0];
  const loaded = Array.from(functions.values(), ({ place }) => order.root + encodeURI(fileOf(place)));
  // If benchmarks load nothing of the package, as with a build without source maps, what they load counts.
  for (const modules of [exportsOf(directory), [...new Set(loaded)]]) {
    await listExports(open, subject, { ...order, modules }, support);
    const exported = take();
    if (!exported.some((each) => functions.has(functionKey(each)))) continue;
    exported.forEach(add);
    break;
  }
  await emit({ type: 'traced', functions: [...functions.values()] });
}

/** Writes what modules export, in a process of the subject. */
async function listExports(
  open: OpenSession,
  { executable: command, flags, env }: PlacedSubject,
  functions: FunctionsOrder,
  support?: ScriptSupport,
): Promise<void> {
  const preload = [...(support?.flags ?? []), '--require', agentPath('check/exports-probe.cjs'), ...flags];
  // Only code in the project can import its package by name.
  const script = ['--input-type=module', '--eval', 'await listExports((name) => import(name))'];
  const { failure } = await open.supervisor.run(
    {
      ...{ command, args: [...preload, ...script], cwd: fileURLToPath(functions.root), channel: 'pipe' },
      ...{ env: { ...env, ...support?.env }, timeoutMs: open.request.settings.timeoutMs },
      order: { functions },
    },
    open.signal,
  );
  if (failure === undefined) return;
  const message = `what the project exports cannot be loaded: ${thrownIn(failure) ?? failure.message}`;
  await open.emit({ type: 'warning', message });
}

/** The modules that the package of a directory exports, as its own files import them. */
function exportsOf(directory: string): readonly string[] {
  const path = join(directory, 'package.json');
  const [name, exports] = ['name', 'exports'].map((key) => propertyIn(path, key));
  if (exports === undefined)
    return orElse(() => [pathToFileURL(createRequire(path).resolve(directory)).href], []);
  const subpaths = Object.keys(Object(exports)).filter((key) => /^\.(?!.*(\*|\.json$))/.test(key));
  return (subpaths.length === 0 ? ['.'] : subpaths).map((each) => `${name}${each.slice(1)}`);
}

function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}
