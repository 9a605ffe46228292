import { isDeepStrictEqual } from 'node:util';
import { caseKey } from '../case.ts';
import { argumentsOf } from '../configuration.ts';
import { UsageError } from '../usage-error.ts';
import { executedAs } from './executed-case.ts';
import {
  type BenchmarkFailure,
  type CalibrationRecord,
  type PlanRecord,
  type RunRecord,
  type SessionRequest,
  type SucceededRun,
  scheduledConfiguration,
} from './line.ts';

/** The runs of one session as they are read. Of each run only the first is kept, and no round may be missing. */
export function runSet(request: SessionRequest, runs: SessionRequest['runs'] = request.runs) {
  const isBisection = request.command === 'bisect';
  const isFixed = typeof runs === 'number';
  let mostRounds = isBisection ? Number.POSITIVE_INFINITY : typeof runs === 'number' ? runs : runs.maxRuns;
  /** The subject of all rounds of a bisection. The rounds of a version begin where those of the version before it ended. */
  const goodEnd = isBisection ? request.subjects[0]?.name : undefined;
  const commands = new Set(request.files.flatMap(({ name, command }) => (command === undefined ? [] : name)));
  const failed = new Set<string>();
  /** By case and subject. */
  const allSeries = new Map<string, Series>();
  return {
    extend(maxRuns: number): void {
      if (!isFixed) mostRounds = Math.max(mostRounds, maxRuns);
    },
    /**
     * @param place file and line
     * @returns whether the run is new; otherwise another process also executed it, or its line is there twice
     * @throws UsageError if the session cannot have it
     */
    add(run: RunRecord, place: string): boolean {
      const { benchmark, round, result = 0 } = run;
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
      const name = nameOf(series);
      if (round >= mostRounds) {
        throw changed(place, `round ${round} of ${name}, but the session has ${mostRounds} rounds`);
      }
      if (run.status === 'ok' && commands.has(benchmark) && !isOneOperation(run)) {
        throw changed(place, `a rate of ${name} that is not that of its time`);
      }
      const results = series.rounds.get(round) ?? [];
      series.rounds.set(round, results);
      if (results.some(({ startedAt }) => startedAt !== run.startedAt)) return false;
      const same = results[result];
      if (same !== undefined && isDeepStrictEqual(same, run)) return false;
      if (same !== undefined || result > results.length) {
        throw changed(
          place,
          `another result ${result} of round ${round} of ${name} than its process reported`,
        );
      }
      results.push(run);
      return true;
    },
    /**
     * Checks the runs of a finished session.
     * @throws UsageError if a round is missing that no failure explains
     */
    checkComplete(path: string): void {
      for (const series of allSeries.values()) {
        const { ofCase, subject, rounds } = series;
        if (goodEnd !== undefined && subject !== goodEnd) continue;
        const expected = isFixed && !failed.has(ofCase) ? mostRounds : rounds.size;
        for (let round = 0; round < expected; round++)
          if (!rounds.has(round)) throw changed(path, `no round ${round} of ${nameOf(series)}`);
      }
    },
    /**
     * Checks that a finished session has runs of all cases that it planned, under all subjects.
     * @param isOnePlan whether it can have no others
     * @throws UsageError that names the case
     */
    checkPlanned(path: string, { plan, calibrations, failures }: Planned, isOnePlan: boolean): void {
      const { shard, subjects, runs: rule } = request;
      if (plan === undefined || goodEnd !== undefined) return;
      const executed = executedAs(calibrations);
      const finished = `${path} is finished but`;
      // A time limit can end the session before the first run of a configuration.
      const isLimited = typeof rule !== 'number' && rule.budgetMs !== undefined;
      const cases = Map.groupBy(allSeries.values(), ({ ofCase }) => ofCase);
      const strays = new Map(cases);
      for (const { name: benchmark, configurations, shards, onlyUnder } of plan.benchmarks) {
        // After a failed setup a benchmark has no runs.
        const mayBeMissing =
          isLimited || failures.some((each) => each.benchmark === benchmark && each.phase === 'setup');
        for (const [at, configuration] of configurations.entries()) {
          const key = caseKey({ benchmark, configuration: executed({ benchmark, configuration }) });
          const ran = cases.get(key);
          strays.delete(key);
          const name = [benchmark, ...argumentsOf(configuration)].join(' ');
          if (shards?.[at] !== shard?.index) {
            if (ran === undefined) continue;
            throw changed(
              finished,
              `runs of ${name}, which belongs to shard ${shards?.[at]}/${shard?.count}`,
            );
          }
          if (ran === undefined && mayBeMissing) continue;
          const missing = (onlyUnder ?? subjects.map((each) => each.name)).find(
            (subject) => !ran?.some((series) => series.subject === subject),
          );
          if (missing !== undefined) throw changed(finished, `no run of ${name} under ${missing}`);
        }
      }
      const [[stray] = []] = strays.values();
      if (stray !== undefined && isOnePlan)
        throw changed(finished, `runs of ${stray.name}, which is not in its plan`);
    },
  };
}

/** The lines of a session that decide which runs it has. */
interface Planned {
  readonly plan: PlanRecord | undefined;
  readonly calibrations: readonly CalibrationRecord[];
  readonly failures: readonly BenchmarkFailure[];
}

interface Series {
  readonly ofCase: string;
  readonly subject: string;
  /** Benchmark and configuration, for messages. */
  readonly name: string;
  /** The results of each round, which are those of one process. */
  readonly rounds: Map<number, RunRecord[]>;
}

function nameOf({ name, subject }: Series): string {
  return `${name} (${subject})`;
}

/** A command is one operation. Of all else only the benchmark knows the number. */
function isOneOperation({ values, time }: SucceededRun): boolean {
  return Math.abs(values.rate * Number(time) - 1) < 1e-3;
}

/** @param subject what contains it: the file, perhaps with its line */
function changed(subject: string, content: string): UsageError {
  return new UsageError(
    'ERR_BENCH_RECORD',
    `${subject} contains ${content}: the file was changed after it was written; restore it or measure again`,
  );
}
