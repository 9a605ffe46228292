import type { Case } from '@bench-cli/results';
import type { AdaptiveRuns } from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { executeRuns } from './execution.ts';
import { GivenUp } from './given-up.ts';
import { executeMetricRuns } from './metric-runs.ts';
import { calibratedConfigurations } from './operation-count.ts';
import { type Decision, Pace } from './pace.ts';
import { Preparation, type SessionContext } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';

/**
 * Executes rounds over the cases of all benchmarks until all are decided, or until the limit of runs or of time. A round
 * includes all open cases, because decisions depend on all of them, and so that each gets its share of limited time.
 */
export async function* executeAdaptively(
  planned: readonly PlannedBenchmark[],
  runs: AdaptiveRuns,
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const preparations = new Map<string, Preparation>();
  const cases: Case[] = [];
  try {
    for (const benchmark of planned) {
      const { name } = benchmark;
      const preparation = new Preparation(benchmark, context);
      yield { type: 'benchmark start', benchmark: name };
      const record = await preparation.begin();
      if (record !== undefined) {
        yield { type: 'failure', record };
        continue;
      }
      preparations.set(name, preparation);
      const configurations = yield* calibratedConfigurations(preparation, context);
      cases.push(...configurations.map((configuration) => ({ benchmark: name, configuration })));
    }
    yield* executeRounds(cases, runs, preparations, context);
    for (const [name, preparation] of preparations) {
      const configurations = cases
        .filter(({ benchmark }) => benchmark === name)
        .map(({ configuration }) => configuration);
      yield* executeMetricRuns(preparation, configurations, context);
    }
  } finally {
    for (const preparation of preparations.values()) {
      const record = await preparation.end();
      if (record !== undefined) yield { type: 'failure', record };
    }
  }
}

async function* executeRounds(
  cases: readonly Case[],
  runs: AdaptiveRuns,
  preparations: ReadonlyMap<string, Preparation>,
  { request, size, recorded, signal }: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const subjects = request.subjects.map(({ name }) => name);
  const givenUp = new GivenUp(subjects);
  const pace = new Pace(runs, subjects, size, givenUp);
  const decisions: Decision[] = [];
  const executor = {
    execute: (run: ScheduledRun, abort?: AbortSignal) => {
      const preparation = preparations.get(run.benchmark);
      if (preparation === undefined) throw new RangeError(`unknown benchmark ${run.benchmark}`);
      return preparation.executor.execute(run, abort);
    },
  };
  const due = openRuns(cases, subjects, runs.maxRuns, pace, decisions);
  for await (const event of executeRuns(due, executor, givenUp, recorded, signal)) {
    yield* decided(decisions);
    if (event.type === 'run') pace.take(event.record);
    yield event;
  }
  decisions.push(...pace.end());
  yield* decided(decisions);
  const open = cases.filter((each) => pace.openSubjects(each).length > 0).length;
  if (open > 0 && pace.isSpent) {
    const message = `the time limit ended the session with ${open} of ${cases.length} configurations undecided; a higher --budget would decide more of them`;
    yield { type: 'warning', message };
  }
}

/** Yields runs as they become due. The next round is known when the previous one has been judged. */
function* openRuns(
  cases: readonly Case[],
  subjects: readonly string[],
  maxRuns: number,
  pace: Pace,
  decisions: Decision[],
): Generator<ScheduledRun> {
  for (let round = 0; round < maxRuns; round++) {
    for (const each of cases) {
      const open = pace.openSubjects(each);
      if (open.length === 0) continue;
      if (pace.isSpent) return;
      yield* scheduleRound([each], subjects, round).filter(({ subject }) => open.includes(subject));
    }
    decisions.push(...pace.endRound());
  }
}

function* decided(decisions: Decision[]): Generator<SessionEvent> {
  for (const decision of decisions.splice(0)) yield { type: 'decision', decision };
}
