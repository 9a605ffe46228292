import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentFile, agentPath, type FunctionsOrder, type Order } from '@bench-cli/agent';
import { type Case, caseName, functionKey, isOfFile, type Profiles } from '@bench-cli/results';
import type { RunRecord, Values } from '@bench-cli/results/recording';
import { settings } from '@bench-cli/results/settings';
import type { Executor } from '../execution/executor.ts';
import { type OpenSession, openSession, type ProcessOptions } from '../execution/open-session.ts';
import { checkRecording } from '../execution/recorded-session.ts';
import type { SessionEvent } from '../execution/session-event.ts';
import { rootsOf } from '../plan/loaded-files.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { failureOf } from '../process/supervisor.ts';
import { planBenchmarks } from './planning.ts';
import { executeBenchmarks } from './prepared-cases.ts';

export interface ProfileOptions extends ProcessOptions {
  /** The directory for the profiles, which Chrome's developer tools and speedscope open. */
  readonly directory: string;
  /** How many profiles there are of each case and subject. Default 20. */
  readonly profiles?: number | undefined;
  /** Run the programs that the file names even if this user did not begin the session here. Default false. */
  readonly trust?: boolean | undefined;
}

/**
 * Profiles cases of a recorded session with V8's CPU profiler, between `start()` and `end()`. The order of
 * the subjects is drawn, as in the session. The rates of these runs do not count. The time of a function is
 * its share of the samples, times the CPU time of the thread, so that time in which the thread waited for a
 * CPU does not count.
 *
 * @param path the results file
 * @param cases as their processes were started
 * @throws UsageError as `resumeSession`
 */
export async function* profileCases(
  path: string,
  cases: readonly Case[],
  { directory, profiles = settings.runs.default.explain, trust, signal, env }: ProfileOptions,
): AsyncGenerator<SessionEvent, void, void> {
  const { session } = await checkRecording(path, trust, env);
  mkdirSync(directory, { recursive: true });
  const plan = { directory: resolve(directory), profiles };
  yield* openSession(session, (open) => profile(open, cases, plan), { signal, env });
}

interface ProfilePlan {
  readonly directory: string;
  readonly profiles: number;
  /** There are fewer profiles if they have so many samples. Default: unlimited. */
  readonly enoughSamples?: number;
  /** Profiles have the functions of a project by place, and their files are removed. Default: neither. */
  readonly functions?: FunctionsOrder;
}

async function profile(open: OpenSession, cases: readonly Case[], plan: ProfilePlan): Promise<void> {
  const names = new Set(cases.map(({ benchmark }) => benchmark));
  const files = open.request.files.filter((file) => [...names].some((name) => isOfFile(name, file)));
  const totalRuns = cases.length * open.request.subjects.length * plan.profiles;
  await open.emit({ type: 'planned', benchmarks: [], totalRuns });
  const { planned } = await planBenchmarks(open, files, (name) => names.has(name));
  await profilePlanned(planned, cases, open, plan);
}

export async function profilePlanned(
  planned: readonly PlannedBenchmark[],
  cases: readonly Case[],
  open: OpenSession,
  plan: ProfilePlan,
): Promise<void> {
  for (const benchmark of planned) {
    await executeBenchmarks([benchmark], open, async (prepared) => {
      for (const { executor } of prepared)
        for (const [at, each] of cases.entries())
          if (each.benchmark === benchmark.name) await profileCase(each, open, executor, `${at}`, plan);
    });
  }
}

async function profileCase(
  profiled: Case,
  open: OpenSession,
  executor: Executor,
  prefix: string,
  { directory, profiles, enoughSamples = Number.POSITIVE_INFINITY, functions }: ProfilePlan,
): Promise<void> {
  const { emit, request } = open;
  const { subjects, seed } = request;
  const file = caseName(profiled)
    .replace(/[^\w.=-]+/g, '_')
    .slice(0, 100);
  const taken: ({ readonly subject: string } & ReturnType<typeof summed>)[] = [];
  const names = subjects.map((subject) => subject.name);
  const roots = new Map(
    subjects.map(({ packages = [], ...subject }): [string, readonly Root[]] => {
      const others = rootsOf(subject, request.settings.cwd).map((directory) => ({ directory, name: '' }));
      return [subject.name, [...packages, ...others]];
    }),
  );
  const runs = Array.from({ length: profiles }, (_, round) => scheduleRound(profiled, names, round, seed));
  let samples = 0;
  for (const run of runs.flat()) {
    if (samples >= enoughSamples) break;
    const { subject, round } = run;
    const path = join(directory, `${prefix}-${file}-${encodeURIComponent(subject)}-${round}.cpuprofile`);
    const values = await profileRun(run, executor, open, { profile: path, ...(functions && { functions }) });
    if (values === undefined) return;
    const found = functionsOf(path);
    if (functions) rmSync(path);
    samples += found.reduce((sum, each) => sum + each.samples, 0);
    taken.push({ subject, ...summed(found, roots.get(subject) ?? [], values.cpuNs / values.operations) });
  }
  const bySubject = names.map((subject): Profiles => {
    const profilesOfSubject = taken.filter((each) => each.subject === subject);
    return {
      subject,
      runs: profilesOfSubject.map(({ selves }) => selves),
      deoptimised: profilesOfSubject.map(({ deoptimised }) => deoptimised),
    };
  });
  await emit({ type: 'profiled', case: profiled, profiles: bySubject });
}

/** @returns undefined if the run fails, or if it has no measured part, which fails it */
async function profileRun(
  run: ScheduledRun,
  executor: Executor,
  { emit, signal }: OpenSession,
  order: Pick<Order, 'profile' | 'functions'>,
) {
  await emit({ type: 'start', run });
  const probe = { file: agentPath('metric/profile-probe.cjs'), order };
  const [observed] = await executor.execute(run, signal, probe);
  const { operations, cpuNs }: Partial<Values> = observed.status === 'ok' ? observed.values : {};
  const isProfiled = operations !== undefined && cpuNs !== undefined;
  const record: RunRecord =
    isProfiled || observed.status === 'failed'
      ? observed
      : { ...observed, status: 'failed', failure: withoutMeasuredPart };
  await emit({ type: 'run', record, resumed: false });
  return isProfiled ? { operations, cpuNs } : undefined;
}

/** Positions in transformed files are those of their sources. */
interface TakenProfile extends Profiler.Profile {
  readonly nodes: (Profiler.ProfileNode & { readonly callFrame: { readonly place?: string } })[];
}

type ProfiledFunction = ReturnType<typeof functionsOf>[number];

/** The nodes of a profile. Functions that are called from several places occur several times. */
function functionsOf(path: string) {
  const { nodes, samples = [] }: TakenProfile = JSON.parse(readFileSync(path, 'utf8'));
  const byNode = Map.groupBy(samples, (id) => id);
  const operations = nodes.filter(({ callFrame }) => isOperation(callFrame));
  return operations.map(({ id, callFrame, deoptReason }) => ({
    /** Empty for an anonymous function; `(garbage collector)` and `(program)` for what is not JavaScript. */
    name: callFrame.functionName,
    /** The URL of the script; empty for what is not JavaScript. */
    url: callFrame.url,
    /** Counts from 1. */
    line: callFrame.lineNumber + 1,
    /** In the project whose functions are listed. */
    place: callFrame.place,
    samples: byNode.get(id)?.length ?? 0,
    /** The reason why V8 stopped using its optimised code. */
    deoptimised: deoptReason,
  }));
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

/** The path of a script, equal for all subjects: `yaml/dist/parse.js`, `node:buffer`. */
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

/** Idle time, the profiler, and the loops and preloads of bench-cli are no part of an operation. */
function isOperation({ functionName: name, url }: Profiler.ProfileNode['callFrame']): boolean {
  return (
    name !== '(root)' &&
    name !== '(idle)' &&
    url !== 'node:inspector' &&
    !url.includes('/node_modules/@bench-cli/') &&
    !ownDirectories.some((directory) => url.startsWith(directory))
  );
}

/** The targets of the links of a workspace. */
const ownDirectories = [import.meta.resolve('@bench-cli/core'), agentFile('index.js')].map(
  (entry) => new URL('.', entry).href,
);

/** Divides the CPU time of an operation among its functions by their samples. */
function summed(functions: readonly ProfiledFunction[], roots: readonly Root[], operationNs: number) {
  const selves = new Map<string, number>();
  const deoptimised = new Set<string>();
  const total = functions.reduce((sum, { samples }) => sum + samples, 0);
  for (const each of functions) {
    const { name, place } = each;
    const text = place === undefined ? nameOf(each, roots) : functionKey({ name, place });
    // A profile without samples has no function.
    selves.set(text, (selves.get(text) ?? 0) + (each.samples / Math.max(1, total)) * operationNs);
    if (each.deoptimised) deoptimised.add(`${text}: ${each.deoptimised}`);
  }
  return { selves, deoptimised };
}

function nameOf({ name, url, line }: ProfiledFunction, roots: readonly Root[]): string {
  const place = placeOf(url, roots);
  // The lines of named functions can differ between the subjects.
  return name === '' ? `(anonymous) ${place}:${line}` : [name, place].filter((part) => part !== '').join(' ');
}
