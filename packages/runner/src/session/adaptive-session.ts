import { caseKey } from '@bench-cli/results';
import type { AdaptiveRuns } from '@bench-cli/results/recording';
import { calibratedConfigurations } from './calibrated.ts';
import { executeRuns } from './execution.ts';
import { type Decision, Pace, type Unit } from './pace.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { Preparation } from './preparation.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionExecution } from './session-execution.ts';

/**
 * Executes rounds over all benchmarks, in which every configuration that is still open runs once under each subject,
 * until all are decided, the runs or the time are used up, or nobody listens. Rounds go over all of them, because what is
 * decided depends on all, and so that each has its share when the time is up.
 */
export async function* executeAdaptively(
  planned: readonly PlannedBenchmark[],
  runs: AdaptiveRuns,
  execution: SessionExecution,
): AsyncGenerator<SessionEvent, void, void> {
  const { request, calibrations, supervisor, signal } = execution;
  const preparations = new Map<string, Preparation>();
  const units: Unit[] = [];
  try {
    for (const benchmark of planned) {
      const { name } = benchmark.file;
      const preparation = new Preparation(benchmark, request, supervisor);
      yield { type: 'benchmark start', benchmark: name };
      const record = await preparation.begin(signal);
      if (record !== undefined) {
        yield { type: 'failure', record };
        continue;
      }
      preparations.set(name, preparation);
      const configurations = yield* calibratedConfigurations(preparation, request, calibrations, signal);
      units.push(...configurations.map((configuration) => ({ benchmark: name, configuration })));
    }
    yield* executeRounds(units, runs, preparations, execution);
  } finally {
    for (const preparation of preparations.values()) {
      const record = await preparation.end();
      if (record !== undefined) yield { type: 'failure', record };
    }
  }
}

async function* executeRounds(
  units: readonly Unit[],
  runs: AdaptiveRuns,
  preparations: ReadonlyMap<string, Preparation>,
  { request, size, recorded, signal }: SessionExecution,
): AsyncGenerator<SessionEvent, void, void> {
  const subjects = request.subjects.map(({ name }) => name);
  const pace = new Pace(runs, subjects, size);
  const decisions: Decision[] = [];
  const executor = {
    execute: (run: ScheduledRun, abort?: AbortSignal) => {
      const preparation = preparations.get(run.benchmark);
      if (preparation === undefined) throw new RangeError(`there is no benchmark ${run.benchmark}`);
      return preparation.executor.execute(run, abort);
    },
  };
  const due = openRuns(units, subjects, runs.maxRuns, pace, decisions);
  for await (const event of executeRuns(due, executor, recorded, caseKey, signal)) {
    yield* decided(decisions);
    if (event.type === 'run') pace.take(event.record);
    if (event.type === 'give up') pace.close(event.run);
    yield event;
  }
  decisions.push(...pace.end());
  yield* decided(decisions);
  const open = units.filter((unit) => pace.isOpen(unit)).length;
  if (open > 0 && pace.isSpent) {
    const message = `the time of the budget is up with ${open} of ${units.length} configurations open; more time would decide more of them`;
    yield { type: 'warning', message };
  }
}

/** The runs as they become due: which round comes next is known when the one before it has been judged. */
function* openRuns(
  units: readonly Unit[],
  subjects: readonly string[],
  maxRuns: number,
  pace: Pace,
  decisions: Decision[],
): Generator<ScheduledRun> {
  for (let round = 0; round < maxRuns; round++) {
    const open = units.filter((unit) => pace.isOpen(unit));
    for (const unit of open) {
      if (pace.isSpent) return;
      yield* scheduleRound([unit], subjects, round);
    }
    decisions.push(...pace.endRound());
  }
}

function* decided(decisions: Decision[]): Generator<SessionEvent> {
  for (const decision of decisions.splice(0)) yield { type: 'decision', decision };
}
