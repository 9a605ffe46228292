import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadResult } from '@bench-cli/core';
import {
  adaptiveRuns,
  asTask,
  caseCount,
  caseName,
  commandMark,
  counted,
  FIRST_LOOK,
  mostRuns,
} from '@bench-cli/results';
import type { PlanRecord, SessionRequest, SessionSettings, SucceededRun } from '@bench-cli/results/recording';
import type { PlacedRequest } from '@bench-cli/subjects';
import { cpuShortage, readCpuSet } from '@bench-cli/system';
import type { OpenSession } from '../execution/open-session.ts';
import type { SessionListener } from '../execution/session-event.ts';
import { readCounters, watchMachine } from '../machine/counters.ts';
import { turnsCpu } from '../process/turns.ts';
import { stopsClocks } from '../suite/script.ts';
import { FEWEST_TURNS } from '../task/prepared-cases.ts';

/** The CPU time that the system shows has steps of 10 ms. */
const SHORTEST_WATCH_MS = 200;

/** Fewer runs of a configuration are not meant to be exact. */
const FEWEST_RUNS = 5;

/**
 * Warns of runs that measure badly, once of each reason, and of other programs that use the CPUs, before the
 * first run and at the end. In test mode there are no warnings, because its rates mean nothing.
 */
export function runWarner(open: Pick<OpenSession, 'request' | 'plan' | 'emit'>): SessionListener {
  const { request, plan, emit } = open;
  if (request.settings.test) return {};
  const watchedFromMs = performance.now();
  const loadSoFar = watchMachine(readCounters, cpus().length);
  let isLoadKnown = mostRuns(request.runs) >= FEWEST_RUNS;
  const warnOfLoad = async () => {
    const message = isLoadKnown ? loadSoFar() : undefined;
    if (message === undefined) return;
    isLoadKnown = false;
    await emit({ type: 'warning', message });
  };
  const reasons = new Set<string>();
  let planned: PlanRecord | undefined;
  return {
    plan: async ({ record }) => {
      planned = record;
      if (plan !== undefined) return;
      for (const message of [await tooFewRuns(request, record), withoutTurns(request)])
        if (message !== undefined) await emit({ type: 'warning', message });
    },
    planned: async ({ benchmarks }) => {
      if (isLoadKnown) await delay(Math.max(0, SHORTEST_WATCH_MS - (performance.now() - watchedFromMs)));
      await warnOfLoad();
      // The CPU time of a server that another process has started cannot be told from that of others.
      isLoadKnown &&= benchmarks.every(({ isHeld }) => !isHeld);
    },
    run: async ({ record }) => {
      if (record.kind !== 'rate' || record.status === 'failed') return;
      isLoadKnown &&= record.load === undefined;
      const ofRun = [...runWarnings(record, request), shortBudget(record, request, planned)].flatMap(
        (each) => each ?? [],
      );
      for (const { about, message } of ofRun) {
        if (reasons.has(about)) continue;
        reasons.add(about);
        await emit({ type: 'warning', message });
      }
      reasons.add('budget');
    },
    end: warnOfLoad,
  };
}

/** A warning that a fixed number of runs is too small to show a single difference. */
async function tooFewRuns(request: SessionRequest, plan: PlanRecord): Promise<string | undefined> {
  const { command, commandLine, runs, subjects, metrics, settings } = request;
  if (command === 'run') return tooFewToRank(request, plan);
  // The samples of HTTP clients are too few by default: their table shows no verdict then.
  if (command !== 'compare' || typeof runs !== 'number' || commandLine?.[0] === 'http') return undefined;
  const { parseGate } = await import('@bench-cli/stats');
  const { fewestPlannedRuns } = await import('@bench-cli/stats/internal');
  const comparisons = caseCount(plan) * (subjects.length - 1);
  const gates = (settings.failOn ?? []).map(parseGate);
  const needed = fewestPlannedRuns(comparisons, metrics?.metrics.length ?? 0, gates);
  if (comparisons === 0 || runs >= needed) return undefined;
  const among = comparisons === 1 ? '' : `, if it is the only one among ${comparisons} comparisons`;
  return `${counted(runs, 'run')} of each subject cannot show a difference${among}: measure with --runs ${needed} or more, or leave --runs out`;
}

/** A warning that no rounds of a comparison can run in turns. Whole commands and HTTP never do. */
function withoutTurns({ command, runs, files, subjects, settings }: PlacedRequest): string | undefined {
  const isPossible = files.some((file) => file.command === undefined) && mostRuns(runs) >= FEWEST_TURNS;
  if (command !== 'compare' || !isPossible) return undefined;
  const unable = subjects.find((subject) => !stopsClocks(subject));
  const reason =
    turnsCpu(settings.cpuSet) === undefined
      ? 'turns need Linux and its program taskset'
      : unable &&
        `turns need Node.js without its permission model, Bun 1.3 or Deno 2.4, or later ones, which ${unable.name} is not`;
  return (
    reason && `rounds run one after the other, and not in turns, so noise hides more differences: ${reason}`
  );
}

/** A single run is for figures alone. */
async function tooFewToRank(
  { runs, files, subjects }: SessionRequest,
  { benchmarks }: PlanRecord,
): Promise<string | undefined> {
  if (typeof runs !== 'number' || runs === 1) return undefined;
  const { fewestRankedRuns } = await import('@bench-cli/stats/internal');
  const marked = commandMark(files);
  const cases = benchmarks.flatMap(({ name, configurations }) =>
    configurations.flatMap((configuration) =>
      subjects.map((subject) => {
        const several = subjects.length > 1 && { subject: subject.name };
        return asTask(marked({ benchmark: name, configuration: { ...configuration, ...several } }), files);
      }),
    ),
  );
  const needed = fewestRankedRuns(cases);
  if (needed === undefined || runs >= needed) return undefined;
  return `${counted(runs, 'run')} of each case cannot show which is faster: measure with --runs ${needed} or more, or --runs auto`;
}

/** A budget that is too short for the fewest runs of a result per case, as far as the first run shows. */
function shortBudget(
  { durationMs }: SucceededRun,
  { runs, subjects, settings }: SessionRequest,
  plan: PlanRecord | undefined,
): RunWarning | undefined {
  const { budgetMs, allPairs } = adaptiveRuns(runs) ?? {};
  // Runs of HTTP clients fit into any time limit, and their session says beforehand which one suffices.
  if (budgetMs === undefined || allPairs || plan === undefined) return undefined;
  const count = caseCount(plan) * subjects.length;
  // The runs after the first one, which is the pilot, can be much shorter.
  const leastMs = ((1 + (FIRST_LOOK - 1) / 4) * count * durationMs) / (settings.jobs?.length ?? 1);
  const message = `the time limit is ${counted(Math.round(budgetMs / 1000), 'second')}, and the fewest runs that can bring all results (${FIRST_LOOK * count}) take at least about ${counted(Math.round(leastMs / 1000), 'second')}: give more --budget, or select fewer cases`;
  return leastMs > budgetMs ? { about: 'budget', message } : undefined;
}

interface RunWarning {
  /** Only the first warning with a subject is shown. */
  readonly about: string;
  readonly message: string;
}

export function runWarnings(
  run: SucceededRun,
  { settings }: Pick<SessionRequest, 'settings'>,
): readonly RunWarning[] {
  const { load } = run;
  const isShared = load !== undefined && cpuSetsOverlap(settings.cpuSet, settings.loadCpuSet);
  const shared = isShared ? sharedCpus(load) : undefined;
  const all = [shared, sharedWithCompiler(run, settings), tooShort(run), neverSteady(run)];
  return all.filter((warning) => warning !== undefined);
}

/** A run that measures less is short: most of what is compiled is compiled at the beginning. Seconds. */
const shortSeconds = 1;

/** A job with a single CPU executes, compiles and collects garbage in turn, unlike other runs. */
function sharedWithCompiler(run: SucceededRun, { jobs }: SessionSettings): RunWarning | undefined {
  if (!jobs?.some((cpus) => readCpuSet(cpus)?.size === 1) || Number(run.time) >= shortSeconds)
    return undefined;
  const message =
    'a job with one CPU also compiles and collects garbage there during these short runs: verdicts can differ from those of ' +
    'one run at a time, even in their direction. Use --jobs auto, or leave it out';
  return { about: 'CPUs of the jobs', message };
}

function sharedCpus({ benchmarker, usage }: LoadResult): RunWarning {
  const about = 'CPUs of the load';
  const shared = 'the server and the load tool share CPUs and slow each other down';
  const remedy = 'separate them with --set CPUSET=0 --set LOADCPUSET=1';
  if (usage?.server == null) return { about, message: `${shared}: ${remedy}` };
  const { seconds, tool, server, idleSeconds, othersSeconds } = usage;
  const used = { [benchmarker]: tool.cpuSeconds, 'the server': server.cpuSeconds };
  const { by, text } = cpuShortage({ seconds, used, idleSeconds, othersSeconds });
  if (by !== 'others') return { about, message: `${shared} (${text}): ${remedy}` };
  const message = `${text} during a load, so its rate is too low: stop them, or measure again later`;
  return { about: 'other programs', message };
}

function tooShort(run: SucceededRun): RunWarning | undefined {
  if (run.clockStepNs === undefined) return undefined;
  const measured = `${Number((Number(run.time) * 1e6).toPrecision(3))} µs`;
  const steps = counted(Math.round((Number(run.time) * 1e9) / run.clockStepNs), 'step');
  const message = `${caseName(run)}: start() to end() took ${measured}, which is too short: only ${steps} of the clock, of ${run.clockStepNs} ns each. Execute more operations between them`;
  return { about: run.benchmark, message };
}

/** A steady rate rises less from part to part of a pilot. Each part is as long as all parts before it. */
const steadyRise = 0.05;

function neverSteady({ sampling, inTurns, ...run }: SucceededRun): RunWarning | undefined {
  const { windows = [] } = sampling?.pilot ?? {};
  const [endMs] = windows.at(-1) ?? [0];
  const rates = [1 / 4, 1 / 2, 1].map((share) => {
    const part = windows.filter(([atMs]) => atMs > (share * endMs) / 2 && atMs <= share * endMs);
    return part.reduce((sum, [, rate]) => sum + rate, 0) / part.length;
  });
  const rises = rates.slice(1).every((rate, at) => rate > (1 + steadyRise) * (rates[at] ?? rate));
  // In turns, the ratio of the sides counts.
  if (inTurns || !rises) return undefined;
  const message = `${caseName(run)}: the rate still rose after ${(endMs / 1000).toFixed(1)} s, so its runs measure code that is not warm yet. If it is meant to run for long, declare longer times and measure with --declared-times`;
  return { about: `warm-up of ${caseName(run)}`, message };
}

/** Whether two sets have a CPU in common. Without a set, a process may run on all CPUs. */
export function cpuSetsOverlap(one: string | undefined, other: string | undefined): boolean {
  const cpus = one === undefined ? undefined : readCpuSet(one);
  const others = other === undefined ? undefined : readCpuSet(other);
  return cpus === undefined || others === undefined || !cpus.isDisjointFrom(others);
}
