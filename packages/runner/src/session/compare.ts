import {
  type Configuration,
  caseKey,
  comparedRun,
  type SubjectRole,
  samplePairs,
  subjectNames,
  UsageError,
} from '@bench-cli/results';
import type { BenchmarkFailure, FailedRun, SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList, RatioInterval, Verdict } from '@bench-cli/stats';
import { createRequest, type RequestOptions } from '../plan/request.ts';
import type { SubjectRequest } from '../subject/subject.ts';
import { runSession } from './session.ts';
import type { SessionEvent } from './session-event.ts';

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

/** One case under both subjects. */
export interface ComparedCase {
  readonly benchmark: string;
  readonly configuration: Configuration;
  /** `faster` is the new subject. */
  readonly verdict: Verdict;
  /** The change of the rate, a fraction: 0.05 is 5 % faster. Null where it does not exist. */
  readonly improvement: number | null;
  /** How many times as fast the new subject is, with its interval; null where there are too few runs. */
  readonly ratio: RatioInterval | null;
  /** All figures, with the method that made them. */
  readonly comparison: Comparison;
  /** The runs that succeeded, in their order. */
  readonly runs: Readonly<Record<SubjectRole, readonly SucceededRun[]>>;
}

/** What a comparison came to. */
export interface CompareResult {
  readonly session: SessionRecord;
  /** How people call the two subjects. */
  readonly names: { readonly oldName: string; readonly newName: string };
  /** In the order of their names. */
  readonly comparisons: readonly ComparedCase[];
  /** The same with what holds for all of them; `@bench-cli/report` makes tables and a sentence of it. */
  readonly list: ComparisonList;
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
  let size: number | undefined;
  for await (const event of runSession(request, { signal, out })) {
    onEvent?.(event);
    if (event.type === 'session') session = event.session;
    else if (event.type === 'plan') {
      size = event.record.benchmarks.reduce((sum, { configurations }) => sum + configurations.length, 0);
    } else if (event.type === 'warning') warnings.push(event.message);
    else if (event.type === 'failure') failures.push(event.record);
    else if (event.type === 'run' && event.record.status === 'ok') succeeded.push(event.record);
    else if (event.type === 'run' && event.record.status === 'failed') failures.push(event.record);
  }
  if (session === undefined) throw new UsageError('ERR_BENCH_SELECTION', 'nothing to compare');
  const { compareFixed, compareSequentially } = await import('@bench-cli/stats');
  const compared = succeeded.map(comparedRun);
  const pairs = samplePairs(compared);
  const list =
    typeof request.runs === 'number'
      ? compareFixed(pairs)
      : compareSequentially(compared, request.runs, size, pairs);
  const runsByCase = Map.groupBy(succeeded, caseKey);
  return {
    session,
    names: subjectNames(session),
    comparisons: list.comparisons.map((comparison: Comparison) =>
      comparedCase(comparison, runsByCase.get(comparison.key) ?? []),
    ),
    list,
    failures,
    warnings,
  };
}

function comparedCase(comparison: Comparison, runs: readonly SucceededRun[]): ComparedCase {
  const { benchmark, configuration, judgement } = comparison;
  const { verdict, improvement, ratio } = judgement;
  return {
    benchmark,
    configuration,
    verdict,
    improvement,
    ratio,
    comparison,
    runs: {
      old: runs.filter(({ subject }) => subject === 'old'),
      new: runs.filter(({ subject }) => subject === 'new'),
    },
  };
}

function subjectOf(subject: string | SubjectRequest | undefined): SubjectRequest {
  return typeof subject === 'object' ? subject : { runtime: subject };
}
