import {
  type Configuration,
  caseCount,
  caseKey,
  comparedRun,
  type SubjectRole,
  samplePairs,
  subjectNames,
} from '@bench-cli/results';
import type { BenchmarkFailure, FailedRun, SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList, RatioInterval, Verdict } from '@bench-cli/stats';
import { createRequest, type RequestOptions } from '../plan/request.ts';
import type { SubjectRequest } from '../subject/subject.ts';
import { runSession } from './session.ts';
import type { SessionEvent } from './session-event.ts';

/** Describes a comparison. */
export interface CompareOptions extends Omit<RequestOptions, 'runs'> {
  /** A runtime: a path or a release such as `node@22`, or an object, for example with flags. Default: this runtime. */
  readonly old?: string | SubjectRequest | undefined;
  readonly new?: string | SubjectRequest | undefined;
  /** Default `auto`: each configuration runs until its verdict is clear. */
  readonly runs?: RequestOptions['runs'] | undefined;
  /** The results file. Default: none. */
  readonly out?: string | undefined;
  /** Ends the comparison: `compare` rejects with the reason when all processes have ended. */
  readonly signal?: AbortSignal | undefined;
  /** Called for every event of the session. */
  readonly onEvent?: ((event: SessionEvent) => void) | undefined;
}

/** One case under both subjects. */
export interface ComparedCase {
  readonly benchmark: string;
  readonly configuration: Configuration;
  /** Of the new subject: `faster` means that it is faster. */
  readonly verdict: Verdict;
  /** The change of the rate, a fraction: 0.05 is 5 % faster. Null where it does not exist. */
  readonly improvement: number | null;
  /** How many times as fast the new subject is, with its interval; null where there are too few runs. */
  readonly ratio: RatioInterval | null;
  /** All figures, with their method. */
  readonly comparison: Comparison;
  /** The successful runs in their order. */
  readonly runs: Readonly<Record<SubjectRole, readonly SucceededRun[]>>;
}

/** The result of a comparison. */
export interface CompareResult {
  readonly session: SessionRecord;
  /** Display names of the subjects. */
  readonly names: { readonly oldName: string; readonly newName: string };
  /** Sorted by name. */
  readonly comparisons: readonly ComparedCase[];
  /** The same comparisons with their common figures, as input for `@bench-cli/report`. */
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
 * @throws UsageError for invalid options
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
    else if (event.type === 'plan') size = caseCount(event.record);
    else if (event.type === 'warning') warnings.push(event.message);
    else if (event.type === 'failure') failures.push(event.record);
    else if (event.type === 'run' && event.record.status === 'ok') succeeded.push(event.record);
    else if (event.type === 'run' && event.record.status === 'failed') failures.push(event.record);
  }
  if (session === undefined) throw new Error('the session ended before it began');
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
