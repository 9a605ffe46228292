import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Case, caseName } from '@bench-cli/results';
import type { Failure } from '@bench-cli/results/recording';
import { ownFile } from '../locations.ts';
import type { LoadedProbe } from '../metric/loaded-probe.ts';
import { parseJson } from '../parse-json.ts';
import { type PlanFailure, type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { schedule } from '../plan/schedule.ts';
import { Supervisor } from '../process/supervisor.ts';
import { placeOf, type Root } from '../profile/place.ts';
import type { ProfiledFunction } from '../profile/profile.ts';
import { type ProfileKind, type ProfileOrder, profileVariable } from '../profile/profile-order.ts';
import {
  originalPlaces,
  type PlacedRequest,
  type PlacedSubject,
  placeRequest,
} from '../subject/placement.ts';
import { Preparation } from './preparation.ts';
import { checkRecording } from './session.ts';

export interface ProfileOptions {
  /** The directory for the profiles, which Chrome's developer tools and speedscope open. */
  readonly directory: string;
  /** How many profiles of each kind there are of each case and subject. Default 10. */
  readonly profiles?: number | undefined;
  /** Run the programs that the file names even if this user did not begin the session here. Default false. */
  readonly trust?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The profiles of one kind of one case under one subject. */
export interface Profiles {
  readonly kind: ProfileKind;
  readonly subject: string;
  /** For each profile: the nanoseconds or bytes per operation in each function itself. */
  readonly runs: readonly ReadonlyMap<string, number>[];
  /**
   * For each profile of the CPU: the nanoseconds per operation in the last function of each stack itself. A key is a JSON array
   * of the functions, the outermost first. Empty for heap profiles.
   */
  readonly stacks: readonly ReadonlyMap<string, number>[];
  /** The functions of each profile whose optimised code V8 discarded, with the reason. */
  readonly deoptimised: readonly ReadonlySet<string>[];
}

export type ProfileEvent =
  | { readonly type: 'start'; readonly case: Case; readonly done: number; readonly count: number }
  | { readonly type: 'failure'; readonly benchmark: string; readonly failure: Failure }
  | { readonly type: 'profiled'; readonly case: Case; readonly profiles: readonly Profiles[] };

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
  options: ProfileOptions,
): AsyncGenerator<ProfileEvent, void, void> {
  const { session } = await checkRecording(path, options.trust);
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true });
  const supervisor = new Supervisor();
  const request = placeRequest(session.request, supervisor.directory);
  const original = originalPlaces(request);
  let done = 0;
  try {
    for await (const planned of plansOf(request, cases, supervisor, options.signal)) {
      const { name } = planned;
      if ('failure' in planned) {
        yield { type: 'failure', benchmark: name, failure: original(planned.failure) };
        continue;
      }
      const preparation = new Preparation(planned, { request, supervisor, signal: options.signal });
      const unprepared = await preparation.begin();
      if (unprepared !== undefined) {
        yield { type: 'failure', benchmark: name, failure: original(unprepared.failure) };
        continue;
      }
      try {
        for (const each of cases.filter(({ benchmark }) => benchmark === name)) {
          yield { type: 'start', case: each, done, count: cases.length };
          const event = await profileCase(each, request, preparation, `${done++}`, { ...options, directory });
          yield event.type === 'failure' ? { ...event, failure: original(event.failure) } : event;
        }
      } finally {
        await preparation.end();
      }
    }
  } finally {
    await supervisor.close();
  }
}

/** The plans of the benchmarks that have cases. */
async function* plansOf(
  { files, subjects, settings }: PlacedRequest,
  cases: readonly Case[],
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): AsyncGenerator<PlannedBenchmark | PlanFailure, void, void> {
  const names = new Set(cases.map(({ benchmark }) => benchmark));
  for (const file of files) {
    if (!names.has(file.name) && !Array.from(names).some((name) => name.startsWith(`${file.name} > `)))
      continue;
    for (const planned of await planFile(file, subjects, settings, supervisor, signal))
      if (names.has(planned.name)) yield planned;
  }
}

const kinds = [
  { kind: 'cpu', extension: 'cpuprofile' },
  { kind: 'heap', extension: 'heapprofile' },
] as const;

/** One profile of a case. */
interface Profile {
  readonly kind: ProfileKind;
  readonly subject: string;
  /** Nanoseconds or bytes per operation, by function. */
  readonly selves: ReadonlyMap<string, number>;
  readonly stacks: ReadonlyMap<string, number>;
  readonly deoptimised: ReadonlySet<string>;
}

async function profileCase(
  of: Case,
  { subjects, seed, settings }: PlacedRequest,
  { executor }: Preparation,
  prefix: string,
  { directory, profiles = 10, signal }: ProfileOptions,
): Promise<ProfileEvent> {
  const { benchmark: name, configuration } = of;
  const file = caseName(of)
    .replace(/[^\w.=-]+/g, '_')
    .slice(0, 100);
  // Its schemas are not needed to run benchmarks.
  const { readProfile } = await import('../profile/profile.ts');
  const taken: Profile[] = [];
  const names = subjects.map((subject) => subject.name);
  for (const run of schedule({ name, configurations: [configuration] }, names, profiles, seed)) {
    const roots = rootsOf(
      subjects.find((subject) => subject.name === run.subject),
      settings.cwd,
    );
    for (const { kind, extension } of kinds) {
      const path = join(
        directory,
        `${prefix}-${file}-${encodeURIComponent(run.subject)}-${run.round}.${extension}`,
      );
      const [record] = await executor.observe(run, profileProbe({ kind, path }), signal);
      if (record?.status === 'failed') return { type: 'failure', benchmark: name, failure: record.failure };
      const { operations, cpuNs } = record?.values ?? {};
      if (operations === undefined || cpuNs === undefined) {
        return { type: 'failure', benchmark: name, failure: withoutMeasuredPart };
      }
      const functions = readProfile(kind, parseJson(readFileSync(path, 'utf8')));
      const samples = functions.reduce((sum, each) => sum + (isOperation(each) ? each.self : 0), 0);
      // A profile without samples has no function.
      const scale = kind === 'cpu' ? cpuNs / Math.max(1, samples) / operations : 1 / operations;
      taken.push({ kind, subject: run.subject, ...summed(functions, roots, scale) });
    }
  }
  const groups = Map.groupBy(taken, ({ kind, subject }) => JSON.stringify([kind, subject]));
  return {
    type: 'profiled',
    case: of,
    profiles: Array.from(groups.values()).flatMap((group) =>
      group.slice(0, 1).map(({ kind, subject }) => ({
        kind,
        subject,
        runs: group.map(({ selves }) => selves),
        stacks: group.map(({ stacks }) => stacks),
        deoptimised: group.map(({ deoptimised }) => deoptimised),
      })),
    ),
  };
}

const withoutMeasuredPart: Failure = {
  kind: 'no result',
  message: 'has no measured part to profile, because it does not call start() and end(), measure() or http()',
  output: '',
};

function profileProbe(order: ProfileOrder): LoadedProbe {
  return {
    file: fileURLToPath(ownFile('./profile/profile-probe.cjs')),
    env: { [profileVariable]: JSON.stringify(order) },
  };
}

/** The directories in which the code of a subject is, the innermost first. */
function rootsOf(subject: PlacedSubject | undefined, cwd: string): readonly Root[] {
  const { packages = [], source, view, cwd: own } = subject ?? {};
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

/** Sums the calls of each function, and multiplies them by a scale. */
function summed(
  functions: readonly ProfiledFunction[],
  roots: readonly Root[],
  scale: number,
): Pick<Profile, 'selves' | 'stacks' | 'deoptimised'> {
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
