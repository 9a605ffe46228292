import type { DetailedComparison } from '@bench-cli/stats';
import type { AnyConfiguration } from '@bench-cli/core';
import { comparedRun } from './compared-run.ts';
import { UsageError } from '../process/failure.ts';
import {
  type BenchmarkFailure,
  type FailedRun,
  reportedConfiguration,
  type SessionRecord,
  type SucceededRun,
} from '@bench-cli/results';
import { createRequest, type RequestOptions } from '../plan/request.ts';
import { runSession } from './session.ts';
import type { SessionEvent } from './session-event.ts';
import type { SubjectRequest } from '../subject/subject.ts';
import { subjectNames } from '@bench-cli/results';

/** What is to be compared, and how. */
export interface CompareOptions extends Omit<RequestOptions, 'runs'> {
  /** A runtime: a path or a release such as `node@22`; or more, such as its flags. Default: the one that runs this. */
  readonly old?: string | SubjectRequest | undefined;
  readonly new?: string | SubjectRequest | undefined;
  /** Default `auto`: each configuration until its verdict is clear. */
  readonly runs?: RequestOptions['runs'] | undefined;
  /** The file to record every run to. Default: nothing is recorded. */
  readonly out?: string | undefined;
  /** Ends the comparison: `compare` rejects with the reason, and no process is left. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what happens as it happens. */
  readonly onEvent?: ((event: SessionEvent) => void) | undefined;
}

/** One configuration under both subjects. */
export interface ComparedConfiguration {
  readonly benchmark: string;
  readonly configuration: AnyConfiguration;
  /** `faster` is the new subject. */
  readonly verdict: DetailedComparison['verdict'];
  /** The change of the rate, a fraction: 0.05 is 5 % faster. Null where there are too few runs. */
  readonly improvement: number | null;
  /** The ends of the interval of the improvement; null where there is none. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** All figures. */
  readonly statistics: DetailedComparison;
  /** The runs that succeeded, in their order. */
  readonly runs: { readonly old: readonly SucceededRun[]; readonly new: readonly SucceededRun[] };
}

/** What a comparison came to. */
export interface CompareResult {
  readonly session: SessionRecord;
  /** In the order of their names. */
  readonly comparisons: readonly ComparedConfiguration[];
  /** One sentence about all of them. */
  readonly summary: string;
  readonly failures: readonly (FailedRun | BenchmarkFailure)[];
  readonly warnings: readonly string[];
}

/**
 * Runs benchmarks under two subjects and compares them: `bench-cli compare` in code.
 *
 * @example
 * const { comparisons } = await compare({ old: 'node@22', new: 'node@26', items: ['string_decoder'] });
 * for (const { benchmark, verdict } of comparisons) console.log(benchmark, verdict);
 *
 * @throws UsageError that says what is wrong with the options
 */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  const { old, new: new_, runs = 'auto', out, signal, onEvent, ...selection } = options;
  const subjects = { old: subjectOf(old), new: subjectOf(new_) };
  const { request } = await createRequest('compare', subjects, { ...selection, runs });
  const succeeded: SucceededRun[] = [];
  const failures: (FailedRun | BenchmarkFailure)[] = [];
  const warnings: string[] = [];
  let session: SessionRecord | undefined;
  for await (const event of runSession(request, { signal, out })) {
    onEvent?.(event);
    if (event.type === 'session') session = event.session;
    else if (event.type === 'warning') warnings.push(event.message);
    else if (event.type === 'failure') failures.push(event.record);
    else if (event.type === 'run' && event.record.status === 'ok') succeeded.push(event.record);
    else if (event.type === 'run' && event.record.status === 'failed') failures.push(event.record);
  }
  if (session === undefined) throw new UsageError('there is nothing to compare');
  const stats = await import('@bench-cli/stats');
  const compared = succeeded.map(comparedRun);
  const pairs = stats.samplePairs(compared);
  const list =
    typeof request.runs === 'number'
      ? stats.compareInDetail(pairs)
      : stats.listSequentially(pairs, stats.judgePairs(compared, request.runs));
  const runsByName = Map.groupBy(succeeded, (run) =>
    keyOf(run.benchmark, stats.compareConfiguration(reportedConfiguration(run))),
  );
  return {
    session,
    comparisons: list.comparisons.map((statistics) =>
      comparedConfiguration(
        statistics,
        runsByName.get(keyOf(statistics.benchmark, statistics.configuration)) ?? [],
      ),
    ),
    summary: stats.summarize(list.comparisons, subjectNames(session), list.errorRate),
    failures,
    warnings,
  };
}

function comparedConfiguration(
  statistics: DetailedComparison,
  runs: readonly SucceededRun[],
): ComparedConfiguration {
  const { benchmark, verdict, improvement, ratio } = statistics;
  const [first] = runs;
  return {
    benchmark,
    configuration: first === undefined ? {} : reportedConfiguration(first),
    verdict,
    improvement,
    interval: ratio === null ? null : { low: ratio.low - 1, high: ratio.high - 1 },
    statistics,
    runs: {
      old: runs.filter(({ subject }) => subject === 'old'),
      new: runs.filter(({ subject }) => subject === 'new'),
    },
  };
}

function subjectOf(subject: string | SubjectRequest | undefined): SubjectRequest {
  return typeof subject === 'object' ? subject : { runtime: subject };
}

function keyOf(benchmark: string, configuration: string): string {
  return JSON.stringify([benchmark, configuration]);
}
