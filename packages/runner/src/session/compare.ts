import {
  type Configuration,
  caseKey,
  type SubjectNames,
  type SubjectPair,
  type SubjectRole,
  subjectNames,
  UsageError,
} from '@bench-cli/results';
import type {
  BenchmarkFailure,
  FailedRun,
  MetricRun,
  PlanRecord,
  SessionRecord,
  SucceededRun,
} from '@bench-cli/results/recording';
import type { Comparison, ComparisonList, RateWord, RatioInterval } from '@bench-cli/stats';
import { createRequest, type RequestOptions } from '../plan/request.ts';
import type { SubjectRequest } from '../subject/subject-request.ts';
import { type NamedSubject, readSubject } from '../subject/subject-text.ts';
import { compareRuns } from './compared-runs.ts';
import { runSession } from './session.ts';
import type { SessionEvent } from './session-event.ts';

/** Describes a comparison. */
export interface CompareOptions extends Omit<RequestOptions, 'runs'> {
  /** A subject as on the command line, such as `node@22`, or an object. Default: this runtime. */
  readonly old?: string | SubjectRequest | undefined;
  readonly new?: string | SubjectRequest | undefined;
  /** Two or more subjects in place of `old` and `new`. The others are compared with the first one. */
  readonly subjects?: readonly (string | NamedSubject)[] | undefined;
  /** Default `auto`: each configuration runs until its verdict is clear. */
  readonly runs?: RequestOptions['runs'] | undefined;
  /** As for `createRequest`. Default `found`. */
  readonly startUp?: RequestOptions['startUp'];
  /** The results file. Default: none. */
  readonly out?: string | undefined;
  /** Ends the comparison: `compare` rejects with the reason when all processes have ended. */
  readonly signal?: AbortSignal | undefined;
  /** Called for every event of the session. */
  readonly onEvent?: ((event: SessionEvent) => void) | undefined;
}

/** One case under the baseline and another subject. */
export interface ComparedCase extends SubjectPair {
  readonly benchmark: string;
  readonly configuration: Configuration;
  /** Of the new subject: `faster` means that it is faster. */
  readonly verdict: RateWord;
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
  /** Display names of the subjects by their names, the baseline first. */
  readonly names: SubjectNames;
  /** Sorted by name, then in the order of the subjects. */
  readonly comparisons: readonly ComparedCase[];
  /** The same comparisons with their common figures, as input for `@bench-cli/report`. */
  readonly list: ComparisonList;
  readonly failures: readonly (FailedRun | BenchmarkFailure)[];
  readonly warnings: readonly string[];
}

/**
 * Runs benchmarks under two or more subjects and compares them: `bench-cli compare` in code.
 *
 * @example
 * const { comparisons } = await compare({ old: 'node@22', new: 'node@26', items: ['string_decoder'] });
 * for (const { benchmark, verdict } of comparisons) console.log(benchmark, verdict);
 *
 * @throws UsageError for invalid options
 */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  const {
    old,
    new: new_,
    subjects: several,
    runs = 'auto',
    out,
    signal,
    onEvent,
    startUp = 'found',
    ...selection
  } = options;
  const subjects =
    several === undefined ? { old: subjectOf(old), new: subjectOf(new_) } : listOf(options, several);
  const { request } = await createRequest('compare', subjects, { ...selection, runs, startUp });
  const succeeded: SucceededRun[] = [];
  const startUpRuns: MetricRun[] = [];
  const failures: (FailedRun | BenchmarkFailure)[] = [];
  const warnings: string[] = [];
  let session: SessionRecord | undefined;
  let plan: PlanRecord | undefined;
  for await (const event of runSession(request, { signal, out })) {
    onEvent?.(event);
    if (event.type === 'session') session = event.session;
    else if (event.type === 'plan') plan = event.record;
    else if (event.type === 'warning') warnings.push(event.message);
    else if (event.type === 'failure') failures.push(event.record);
    else if (event.type === 'start-up') startUpRuns.push(event.record);
    else if (event.type === 'run' && event.record.status === 'ok') succeeded.push(event.record);
    else if (event.type === 'run' && event.record.status === 'failed') failures.push(event.record);
  }
  if (session === undefined) throw new Error('the session ended before it began');
  const { rateWords, withStartUp } = await import('@bench-cli/stats');
  const list = withStartUp(await compareRuns(request, plan, succeeded), [startUpRuns]);
  const runsByCase = Map.groupBy(succeeded, caseKey);
  return {
    session,
    names: subjectNames(session),
    comparisons: list.comparisons.map((comparison: Comparison) =>
      comparedCase(comparison, rateWords[comparison.verdict], runsByCase.get(comparison.key) ?? []),
    ),
    list,
    failures,
    warnings,
  };
}

function comparedCase(
  comparison: Comparison,
  verdict: RateWord,
  runs: readonly SucceededRun[],
): ComparedCase {
  const { benchmark, configuration, baseline, subject, judgement } = comparison;
  const { improvement, ratio } = judgement;
  return {
    benchmark,
    configuration,
    baseline,
    subject,
    verdict,
    improvement,
    ratio,
    comparison,
    runs: {
      old: runs.filter((run) => run.subject === baseline),
      new: runs.filter((run) => run.subject === subject),
    },
  };
}

function subjectOf(subject: string | SubjectRequest = {}): SubjectRequest {
  return typeof subject === 'object' ? subject : readSubject(subject).request;
}

function listOf(
  { old, new: new_ }: CompareOptions,
  subjects: readonly (string | NamedSubject)[],
): readonly NamedSubject[] {
  if (old !== undefined || new_ !== undefined) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      'compare takes either old and new, or subjects: leave one of them out',
    );
  }
  if (subjects.length < 2) {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `compare requires at least two subjects, and there ${subjects.length === 1 ? 'is 1' : 'are none'}: add another one`,
    );
  }
  return subjects.map((subject) => (typeof subject === 'string' ? readSubject(subject) : subject));
}
