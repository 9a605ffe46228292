import { caseKey } from '../case.ts';
import { argumentsOf } from '../configuration.ts';
import { UsageError } from '../usage-error.ts';
import {
  type BenchmarkFailure,
  type PlanRecord,
  type RunRecord,
  type SessionRequest,
  scheduledConfiguration,
} from './line.ts';
import { adaptiveRuns, mostRuns } from './run-rule.ts';

/** The runs of one kind of a session as they are read. Of each run only the first is kept, and no round may be missing. */
export function runSet(request: SessionRequest, runs: SessionRequest['runs'] = request.runs) {
  /** The subject of all rounds of a bisection. The rounds of a version begin where those of the version before it ended. */
  const goodEnd = request.command === 'bisect' ? request.subjects[0]?.name : undefined;
  const failed = new Set<string>();
  /** By case and subject. */
  const allSeries = new Map<string, Series>();
  return {
    /** @returns whether the run is new; otherwise another process also executed it, or its line is there twice */
    add(run: RunRecord): boolean {
      const { benchmark, round, result = 0, startedAt } = run;
      const ofCase = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
      const key = JSON.stringify([ofCase, run.subject]);
      const series: Series = allSeries.get(key) ?? {
        ofCase,
        subject: run.subject,
        name: [benchmark, ...argumentsOf(scheduledConfiguration(run))].join(' '),
        rounds: new Map(),
      };
      allSeries.set(key, series);
      if (run.status === 'failed') failed.add(ofCase);
      const first = series.rounds.get(round) ?? { startedAt, results: 0 };
      if (first.startedAt !== startedAt || result < first.results) return false;
      series.rounds.set(round, { startedAt, results: result + 1 });
      return true;
    },
    /**
     * Checks the runs of a finished session.
     * @throws UsageError if a round is missing that no failure explains
     */
    checkComplete(path: string): void {
      for (const { ofCase, subject, name, rounds } of allSeries.values()) {
        if (goodEnd !== undefined && subject !== goodEnd) continue;
        const expected =
          adaptiveRuns(runs) === undefined && !failed.has(ofCase) ? mostRuns(runs) : rounds.size;
        for (let round = 0; round < expected; round++)
          if (!rounds.has(round)) throw contradiction(path, `no round ${round} of ${name} (${subject})`);
      }
    },
    /**
     * Checks that a finished session has runs of all cases that it planned, under all subjects.
     * @param isOnePlan whether it can have no others
     * @throws UsageError that names the case
     */
    checkPlanned(path: string, { plan, failures }: Planned, isOnePlan: boolean): void {
      const { shard, subjects, runs: rule } = request;
      if (plan === undefined || goodEnd !== undefined) return;
      const finished = `${path} is finished but`;
      // A time limit can end the session before the first run of a configuration.
      const isLimited = adaptiveRuns(rule)?.budgetMs !== undefined;
      const cases = Map.groupBy(allSeries.values(), ({ ofCase }) => ofCase);
      const strays = new Map(cases);
      for (const { name: benchmark, configurations, shards, onlyUnder } of plan.benchmarks) {
        // After a failed setup a benchmark has no runs.
        const mayBeMissing =
          isLimited || failures.some((each) => each.benchmark === benchmark && each.phase === 'setup');
        for (const [at, configuration] of configurations.entries()) {
          const key = caseKey({ benchmark, configuration });
          const ran = cases.get(key);
          strays.delete(key);
          const name = [benchmark, ...argumentsOf(configuration)].join(' ');
          if (shards?.[at] !== shard?.index) {
            if (ran === undefined) continue;
            throw contradiction(
              finished,
              `runs of ${name}, which belongs to ${shards?.[at] === undefined ? 'no shard' : `shard ${shards[at]}/${shard?.count}`}`,
            );
          }
          if (ran === undefined && mayBeMissing) continue;
          const missing = (onlyUnder ?? subjects.map((each) => each.name)).find(
            (subject) => !ran?.some((series) => series.subject === subject),
          );
          if (missing !== undefined) throw contradiction(finished, `no run of ${name} under ${missing}`);
        }
      }
      const [[stray] = []] = strays.values();
      if (stray !== undefined && isOnePlan)
        throw contradiction(finished, `runs of ${stray.name}, which is not in its plan`);
    },
  };
}

/** The lines of a session that decide which runs it has. */
interface Planned {
  readonly plan: PlanRecord | undefined;
  readonly failures: readonly BenchmarkFailure[];
}

interface Series {
  readonly ofCase: string;
  readonly subject: string;
  /** Benchmark and configuration, for messages. */
  readonly name: string;
  /** The first process of each round, and the number of its results. */
  readonly rounds: Map<number, { readonly startedAt: string; readonly results: number }>;
}

/** @param subject the finished file, or a phrase that names it */
function contradiction(subject: string, content: string): UsageError {
  return new UsageError(
    'ERR_BENCH_RECORD',
    `${subject} contains ${content}: the file was changed after it was written; restore it or measure again`,
  );
}
