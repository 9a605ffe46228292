import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Case, caseName, isOfFile, type Profiles } from '@bench-cli/results';
import type { RunRecord, Values } from '@bench-cli/results/recording';
import type { Executor } from '../execution/executor.ts';
import { type OpenSession, openSession } from '../execution/open-session.ts';
import { executeBenchmarks } from '../execution/preparation.ts';
import { checkRecording } from '../execution/recorded-session.ts';
import type { SessionEvent } from '../execution/session-event.ts';
import { ownFile, ownPath } from '../locations.ts';
import { orderFor } from '../order.ts';
import { schedule } from '../plan/schedule.ts';
import { failureOf } from '../process/supervisor.ts';
import { functionsOf, type ProfiledFunction } from '../profile/profile.ts';
import type { PlacedSubject } from '../subject/placement.ts';
import { planBenchmarks } from './planning.ts';

export interface ProfileOptions {
  /** The directory for the profiles, which Chrome's developer tools and speedscope open. */
  readonly directory: string;
  /** How many profiles of each kind there are of each case and subject. Default 10. */
  readonly profiles?: number | undefined;
  /** Run the programs that the file names even if this user did not begin the session here. Default false. */
  readonly trust?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Profiles cases of a recorded session with V8's CPU profiler and its heap sampling, between `start()` and `end()`. The order of
 * the subjects is drawn, as in the session. The rates of these runs do not count. The time of a function is its share of the
 * samples, times the CPU time of the thread, so that time in which the thread waited for a CPU does not count.
 *
 * @param path the results file
 * @param cases as their processes were started
 * @throws UsageError as `resumeSession`
 */
export async function* profileCases(
  path: string,
  cases: readonly Case[],
  { directory, profiles = 10, trust, signal }: ProfileOptions,
): AsyncGenerator<SessionEvent, void, void> {
  const { session } = await checkRecording(path, trust);
  mkdirSync(directory, { recursive: true });
  const wanted = { directory: resolve(directory), profiles };
  yield* openSession(session, (open) => profile(open, cases, wanted), { signal });
}

type Wanted = { readonly directory: string; readonly profiles: number };

async function profile(open: OpenSession, cases: readonly Case[], wanted: Wanted): Promise<void> {
  const names = new Set(cases.map(({ benchmark }) => benchmark));
  const files = open.request.files.filter((file) => [...names].some((name) => isOfFile(name, file)));
  const totalRuns = cases.length * open.request.subjects.length * wanted.profiles * kinds.length;
  await open.emit({ type: 'planned', benchmarks: [], totalRuns });
  const { planned } = await planBenchmarks(open, files, (name) => names.has(name));
  for (const benchmark of planned) {
    await executeBenchmarks([benchmark], open, async (prepared) => {
      for (const { executor } of prepared)
        for (const [at, each] of cases.entries())
          if (each.benchmark === benchmark.name) await profileCase(each, open, executor, `${at}`, wanted);
    });
  }
}

const kinds = ['cpu', 'heap'] as const;

async function profileCase(
  of: Case,
  { request: { subjects, seed, settings }, emit, signal }: OpenSession,
  executor: Executor,
  prefix: string,
  { directory, profiles }: Wanted,
): Promise<void> {
  const { benchmark: name, configuration } = of;
  const file = caseName(of)
    .replace(/[^\w.=-]+/g, '_')
    .slice(0, 100);
  const taken: (Pick<Profiles, 'kind' | 'subject'> & ReturnType<typeof summed>)[] = [];
  const names = subjects.map((subject) => subject.name);
  const roots = new Map(subjects.map((each) => [each.name, rootsOf(each, settings.cwd)]));
  for (const run of schedule({ name, configurations: [configuration] }, names, profiles, seed)) {
    const { subject, round } = run;
    for (const kind of kinds) {
      const name = `${prefix}-${file}-${encodeURIComponent(subject)}-${round}.${kind}profile`;
      const path = join(directory, name);
      await emit({ type: 'start', run });
      const [observed] = await executor.execute(run, signal, {
        kind: 'metrics',
        probe: {
          file: ownPath('./profile/profile-probe.cjs'),
          env: orderFor('BENCH_CLI_PROFILE', { kind, path }),
        },
      });
      const { operations, cpuNs }: Partial<Values> = observed.status === 'ok' ? observed.values : {};
      const isProfiled = operations !== undefined && cpuNs !== undefined;
      const record: RunRecord =
        isProfiled || observed.status === 'failed'
          ? observed
          : { ...observed, status: 'failed', failure: withoutMeasuredPart };
      await emit({ type: 'run', record, resumed: false });
      if (!isProfiled) return;
      const functions = functionsOf(JSON.parse(readFileSync(path, 'utf8')));
      const samples = functions.reduce((sum, each) => sum + (isOperation(each) ? each.self : 0), 0);
      // A profile without samples has no function.
      const scale = kind === 'cpu' ? cpuNs / Math.max(1, samples) / operations : 1 / operations;
      taken.push({ kind, subject, ...summed(functions, roots.get(subject) ?? [], scale) });
    }
  }
  const profilesOf = (kind: Profiles['kind'], subject: string): Profiles => {
    const own = taken.filter((each) => each.kind === kind && each.subject === subject);
    return {
      kind,
      subject,
      runs: own.map(({ selves }) => selves),
      stacks: own.map(({ stacks }) => stacks),
      deoptimised: own.map(({ deoptimised }) => deoptimised),
    };
  };
  const all = kinds.flatMap((kind) => names.map((name) => profilesOf(kind, name)));
  await emit({ type: 'profiled', case: of, profiles: all });
}

const withoutMeasuredPart = failureOf(
  'no result',
  'has no measured part to profile, because it does not call start() and end(), measure() or http()',
);

/** A directory whose files are the same code under another subject, with the name that stands for it. */
interface Root {
  readonly directory: string;
  readonly name: string;
}

/** The path of a script, which is equal for the same script of another subject: `yaml/dist/parse.js`, `node:buffer`. */
function placeOf(url: string, roots: readonly Root[]): string {
  if (!url.startsWith('file:') && !url.startsWith('/')) return url;
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  for (const { directory, name } of roots) {
    const inside = relative(directory, path);
    if (inside.startsWith('..') || inside === path) continue;
    return [name, ...inside.split(sep)].filter((part) => part !== '').join('/');
  }
  return basename(path);
}

/** The directories in which the code of a subject is, the innermost first. */
function rootsOf({ packages = [], source, view, cwd: own }: PlacedSubject, cwd: string): readonly Root[] {
  return [
    ...packages.map(({ name, directory }) => ({ directory, name })),
    ...[view, source?.directory, own, cwd].flatMap((directory) =>
      directory === undefined ? [] : [{ directory, name: '' }],
    ),
  ];
}

/** Idle time, the profiler, and the loops and preloads of bench-cli are no part of an operation. */
function isOperation({ name, url }: ProfiledFunction): boolean {
  return (
    name !== '(root)' &&
    name !== '(idle)' &&
    url !== 'node:inspector' &&
    !url.includes('/node_modules/@bench-cli/') &&
    !ownDirectories.some((directory) => url.startsWith(directory))
  );
}

/** Where links of a workspace lead to. */
const ownDirectories = [import.meta.resolve('@bench-cli/core'), ownFile('./index.js')].map(
  (entry) => new URL('.', entry).href,
);

/** Sums the calls of each function, and multiplies them by a scale: nanoseconds or bytes per operation. */
function summed(functions: readonly ProfiledFunction[], roots: readonly Root[], scale: number) {
  const selves = new Map<string, number>();
  const stacks = new Map<string, number>();
  const deoptimised = new Set<string>();
  const stackOf = (each: ProfiledFunction | undefined): readonly string[] => {
    if (each === undefined) return [];
    const callers = each.caller === undefined ? [] : stackOf(functions[each.caller]);
    return isOperation(each) ? [...callers, nameOf(each, roots)] : callers;
  };
  for (const each of functions) {
    if (!isOperation(each)) continue;
    const { self, caller, deoptimised: reason } = each;
    const text = nameOf(each, roots);
    selves.set(text, (selves.get(text) ?? 0) + self * scale);
    if (caller !== undefined && self > 0) {
      const stack = JSON.stringify(stackOf(each));
      stacks.set(stack, (stacks.get(stack) ?? 0) + self * scale);
    }
    if (reason !== undefined) deoptimised.add(`${text}: ${reason}`);
  }
  return { selves, stacks, deoptimised };
}

function nameOf({ name, url, line }: ProfiledFunction, roots: readonly Root[]): string {
  const place = placeOf(url, roots);
  // The lines of named functions can differ between the subjects.
  return name === '' ? `(anonymous) ${place}:${line}` : [name, place].filter((part) => part !== '').join(' ');
}
