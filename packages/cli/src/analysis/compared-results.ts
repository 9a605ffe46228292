import type { NewCase } from '@bench-cli/report';
import {
  type ComparedRun,
  type Condition,
  caseCount,
  casesWhere,
  joinMachines,
  meetsAll,
  newBenchmarks,
  type SamplePair,
  type SubjectNames,
  samplePairs,
  subjectNames,
} from '@bench-cli/results';
import type {
  MeasuredMetrics,
  MetricDescription,
  MetricRun,
  PlanRecord,
  SessionRecord,
  SucceededRun,
} from '@bench-cli/results/recording';
import {
  type AdaptiveSession,
  type ComparisonList,
  compareFixed,
  compareSequentially,
  type MetricPairs,
  summarizeSample,
  withStartUp,
} from '@bench-cli/stats';
import type { Correction } from '../options.ts';
import { latencyMetrics } from './latency-metrics.ts';

/** The rates of the subjects, and how they were measured. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: SubjectNames;
  /** Cases that only the new subject has. */
  readonly newCases: readonly NewCase[];
  /** The metrics that were measured beside the rate. */
  readonly metrics: readonly MetricPairs[];
  /** The runs of each machine that measured start-up. */
  readonly startUp: readonly (readonly MetricRun[])[];
  /** Present if the runs themselves decided how many there are. */
  readonly adaptive: AdaptiveSession | undefined;
}

/** The successful runs of a session, in the order in which they ran. */
export interface SessionRuns {
  readonly session: SessionRecord;
  readonly runs: readonly SucceededRun[];
  /** Those that measured metrics. */
  readonly metricRuns: readonly MeasuredMetrics[];
  readonly startUpRuns: readonly MetricRun[];
  /** Undefined if the session ended before it was planned. */
  readonly plan: PlanRecord | undefined;
}

/** The results of a session, or of its parts on several machines. */
export function comparedResults(sessions: readonly [SessionRuns, ...SessionRuns[]]): ComparedResults {
  const [{ session, plan }] = sessions;
  const names = subjectNames(session);
  const subjects = [...names.keys()];
  const isNew = newBenchmarks(plan);
  const machines = sessions.map(({ runs }) => runs.filter(({ benchmark }) => !isNew.has(benchmark)));
  const lonely = sessions.flatMap(({ runs }) => runs.filter(({ benchmark }) => isNew.has(benchmark)));
  const options = session.request.runs;
  const size = plan && caseCount(plan);
  return {
    pairs: joinMachines(machines.map((runs) => samplePairs(runs, subjects))),
    newCases: samplePairs(lonely, subjects).flatMap((pair) =>
      pair.new.length === 0 ? [] : [{ ...pair, sample: summarizeSample(pair.new) }],
    ),
    names,
    metrics: [
      ...(session.request.metrics?.metrics ?? []).map((metric) => ({
        metric,
        pairs: joinMachines(
          sessions.map(({ metricRuns }) => samplePairs(valuesOf(metric, metricRuns), subjects)),
        ).filter((pair) => pair.old.length > 0 && !isNew.has(pair.benchmark)),
      })),
      // Metrics are judged as a fixed number of runs.
      ...(typeof options === 'number' ? latencyMetrics : []).flatMap(({ metric, valuesOf: latenciesOf }) => {
        const pairs = joinMachines(machines.map((runs) => samplePairs(latenciesOf(runs), subjects)));
        return pairs.length === 0 ? [] : [{ metric, pairs }];
      }),
    ],
    startUp: sessions.map(({ startUpRuns }) => startUpRuns),
    adaptive:
      typeof options === 'number' ? undefined : { runs: machines.flat(), subjects, options, cases: size },
  };
}

/** The values of a metric as runs of a comparison. */
function valuesOf({ name }: MetricDescription, runs: readonly MeasuredMetrics[]): ComparedRun[] {
  return runs.flatMap(({ benchmark, configuration, subject, round, values }) => {
    const value = values[name];
    return value === undefined ? [] : [{ benchmark, configuration, subject, round, rate: value }];
  });
}

/** The results of the cases that meet all conditions. Adaptive runs are still judged together with all cases. */
export function resultsWhere<Results extends ComparedResults>(
  results: Results,
  conditions: readonly Condition[],
): Results {
  return {
    ...results,
    pairs: casesWhere(results.pairs, conditions),
    newCases: results.newCases.filter((each) => meetsAll(each, conditions)),
    metrics: results.metrics.map(({ metric, pairs }) => ({ metric, pairs: casesWhere(pairs, conditions) })),
  };
}

/** Judges results by the method that fits how their number of runs was decided. */
export function judgeResults(
  { pairs, adaptive, startUp }: ComparedResults,
  correction?: Correction,
): ComparisonList {
  const list =
    adaptive === undefined
      ? compareFixed(pairs, {}, correction)
      : compareSequentially(adaptive, pairs, correction);
  return withStartUp(list, startUp);
}
