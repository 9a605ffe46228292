import { type Case, caseCount, caseKey, nameCase } from '../case.ts';
import type {
  AdaptiveRuns,
  MetricDescription,
  PlanRecord,
  RunRecord,
  SucceededRun,
} from '../recording/line.ts';
import type { Recording } from '../recording/read.ts';
import { adaptiveRuns } from '../recording/run-rule.ts';
import { type ComparedRun, commandMark, pairsOfCase, type SamplePair, samplePairs } from '../samples.ts';
import { type Condition, casesWhere, meetsAll } from '../select.ts';
import { type SubjectNames, subjectNames } from '../subject-names.ts';
import { type MissingResult, missingResults } from './missing-result.ts';
import { latencyMetrics, reportedMetrics } from './reported-metric.ts';
import { type Unmatched, unmatchedBenchmarks, unmatchedWhere } from './unmatched-benchmark.ts';

export interface MetricPairs {
  readonly metric: MetricDescription;
  readonly pairs: readonly SamplePair[];
}

export interface AdaptiveSession {
  /** All runs, in the order in which they were measured. */
  readonly runs: readonly ComparedRun[];
  /** Names, the baseline first. */
  readonly subjects: readonly string[];
  readonly options: Partial<AdaptiveRuns>;
  /** The number of cases that the command compares, including cases without a run. */
  readonly cases?: number | undefined;
  /** Whether all sessions ended, so that a case without a result has none for another reason. */
  readonly isEnded?: boolean;
}

/**
 * The number of runs of each subject at the first look of an adaptive session. Fewer pairs of runs cannot
 * support a p-value for a verdict, and could all draw the same of several modes. Later runs depend on the
 * verdicts of the rate, so tests of a fixed number of runs cannot count them.
 */
export const FIRST_LOOK = 8;

/** Measured values for a comparison, before the judgement. */
export interface ComparedResults {
  readonly names: SubjectNames;
  /** The rates of each subject and the baseline. */
  readonly pairs: readonly SamplePair[];
  /** The rates of benchmarks that the baseline lacks, which are not compared. */
  readonly newPairs: readonly SamplePair[];
  readonly metrics: readonly MetricPairs[];
  /** Present if the results decided the number of runs. */
  readonly adaptive?: AdaptiveSession | undefined;
  /** The session, or its shards; empty for a CSV. */
  readonly recordings: readonly Recording[];
  readonly missing: readonly MissingResult[];
  /** Benchmarks that some subjects lack, so that they are not compared. */
  readonly unmatched: Unmatched;
}

/** The results of a CSV. @param subjects names, the baseline first @param warnings what its end lacks */
export function csvResults({
  subjects,
  pairs,
  warnings = [],
}: Pick<AdaptiveSession, 'subjects'> &
  Pick<ComparedResults, 'pairs'> & { readonly warnings?: readonly string[] }): ComparedResults {
  return {
    names: new Map(subjects.map((name) => [name, name])),
    pairs,
    newPairs: [],
    metrics: [],
    recordings: [],
    missing: warnings.length > 0 ? [{ kind: 'unfinished' }] : [],
    unmatched: { added: [], removed: [], renamed: [] },
  };
}

export function succeededRuns(runs: readonly RunRecord[]): readonly SucceededRun[] {
  return runs.filter((run) => run.status === 'ok');
}

export function failedCases(runs: readonly RunRecord[]): readonly Case[] {
  return [...Map.groupBy(runs, caseKey).values()].flatMap((ofCase) =>
    ofCase.every(({ status }) => status === 'failed') ? ofCase.slice(0, 1) : [],
  );
}

export function comparedResults(recordings: readonly [Recording, ...Recording[]]): ComparedResults {
  const [{ session, plan }] = recordings;
  const { metrics } = session.request;
  const adaptive = adaptiveRuns(session.request.runs);
  const names = subjectNames(session, plan);
  const subjects = [...names.keys()];
  // Benchmarks that the first subject lacks are not compared.
  const newNames = new Set(plan?.benchmarks.flatMap(({ name, onlyUnder }) => (onlyUnder ? name : [])));
  const isCompared = ({ benchmark }: RunRecord) => !newNames.has(benchmark);
  const runs = recordings.flatMap((recording) => succeededRuns(recording.runs));
  const metricRuns = recordings
    .flatMap((recording) => succeededRuns(recording.metricRuns))
    .filter(isCompared);
  const compared = runs.filter(isCompared);
  const added = runs.filter((run) => !isCompared(run));
  const missing = missingResults(recordings);
  const withFailures = failureMark(missing);
  const pairsOf = (some: readonly ComparedRun[], metric?: string) =>
    samplePairs(some, subjects, metric).map(withFailures);
  // No run has the pairs of a case that failed under all subjects.
  const failedPairs = missing
    .filter((each) => each.kind === 'no run')
    .filter((each) => each.subjects.length === subjects.length)
    .flatMap((each) => pairsOfCase(nameCase(each), new Map(subjects.map((name) => [name, []]))))
    .map(withFailures)
    .filter(({ failed }) => failed !== undefined);
  const sure = adaptive === undefined ? compared : compared.filter(({ round }) => round < FIRST_LOOK);
  const mark = commandMark(session.request.files);
  return {
    names,
    pairs: [...pairsOf(compared), ...failedPairs].map(mark),
    newPairs: samplePairs(added, subjects)
      .filter((pair) => pair.new.length > 0)
      .map(mark),
    metrics: [
      ...(metrics?.metrics ?? []).map((metric) => ({
        metric,
        pairs: pairsOf(metricRuns, metric.name).filter((pair) => pair.old.length > 0),
      })),
      // Metrics are judged as a fixed number of runs.
      ...(adaptive === undefined ? latencyMetrics : []).flatMap(({ metric, valuesOf: latenciesOf }) => {
        const pairs = pairsOf(latenciesOf(compared), metric.name);
        return pairs.length === 0 ? [] : [{ metric, pairs }];
      }),
      ...reportedMetrics(compared).map((metric) => ({ metric, pairs: pairsOf(sure, metric.name) })),
    ],
    ...(adaptive && {
      adaptive: {
        ...{ runs: compared, subjects, options: adaptive, cases: plan && caseCount(plan) },
        isEnded: recordings.every(({ ended }) => ended),
      },
    }),
    recordings,
    missing,
    // Every part of a session plans all benchmarks.
    unmatched: unmatchedBenchmarks(recordings.find((each) => each.plan !== undefined) ?? recordings[0]),
  };
}

/** Returns a function that adds the numbers of failed runs to a pair. */
function failureMark(missing: readonly MissingResult[]): (pair: SamplePair) => SamplePair {
  const counts = missing
    .filter((each) => 'failures' in each)
    .flatMap(({ reportedKeys, failures }) =>
      reportedKeys.flatMap((key) => failures.map((each) => ({ key, ...each }))),
    );
  const byKey = Map.groupBy(counts, ({ key }) => key);
  return (pair) => {
    const ofCase = byKey.get(pair.key) ?? [];
    const failedOf = (name: string) =>
      ofCase.reduce((sum, { subject, failed }) => sum + (subject === name ? failed : 0), 0);
    const failed = { old: failedOf(pair.baseline), new: failedOf(pair.subject) };
    return failed.old + failed.new === 0 ? pair : { ...pair, failed };
  };
}

/** The results of cases that meet all conditions. Adaptive runs are still judged together with all cases. */
export function resultsWhere(results: ComparedResults, conditions: readonly Condition[]): ComparedResults {
  return {
    ...results,
    pairs: casesWhere(results.pairs, conditions),
    newPairs: results.newPairs.filter((each) => meetsAll(each, conditions)),
    metrics: results.metrics.map(({ metric, pairs }) => ({ metric, pairs: casesWhere(pairs, conditions) })),
    missing: results.missing.filter((each) => !('benchmark' in each) || isMet(each, conditions)),
    unmatched: unmatchedWhere(results.unmatched, conditions),
    recordings: results.recordings.map((each) => recordingWhere(each, conditions)),
  };
}

/** A recording with only the runs, failures and unaffected cases that meet all conditions. */
export function recordingWhere(recording: Recording, conditions: readonly Condition[]): Recording {
  if (conditions.length === 0) return recording;
  const { plan, runs, metricRuns, failures } = recording;
  return {
    ...recording,
    plan: plan && planWhere(plan, conditions),
    runs: runs.filter((run) => meetsAll(run, conditions)),
    metricRuns: metricRuns.filter((run) => meetsAll(run, conditions)),
    failures: failures.filter((failure) => isMet(failure, conditions)),
  };
}

/** Whether a case, or a benchmark without a case, meets all conditions. */
function isMet(item: Partial<Case> & Pick<Case, 'benchmark'>, conditions: readonly Condition[]): boolean {
  return meetsAll({ configuration: {}, ...item }, conditions);
}

/** A plan with only those unaffected cases that meet all conditions. */
function planWhere({ unaffected, ...plan }: PlanRecord, conditions: readonly Condition[]): PlanRecord {
  if (unaffected === undefined) return plan;
  const kept = unaffected.map(({ name: benchmark, configurations }) => ({
    name: benchmark,
    configurations: configurations.filter((configuration) =>
      meetsAll({ benchmark, configuration }, conditions),
    ),
  }));
  return { ...plan, unaffected: kept };
}
