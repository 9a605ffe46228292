import {
  type Case,
  caseKey,
  type SubjectPair,
  type SubjectRole,
  succeededRuns,
  UsageError,
} from '@bench-cli/results';
import type { BenchmarkFailure, FailedRun, SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import type { Comparison, GateOutcome, JudgedResults, RatioInterval } from '@bench-cli/stats';
import type { RateWord } from '@bench-cli/stats/internal';
import { type NamedSubject, readSubject, type SubjectRequest } from '@bench-cli/subjects';
import { notify, type SessionEvent } from '../execution/session-event.ts';
import { checkOptionNames, createRequest, type RequestOptions } from './request.ts';
import { runSession, type SessionOptions } from './session.ts';
import { failedRuns, judgeSession, sessionCollector } from './session-result.ts';

/** Describes a comparison. */
export interface CompareOptions extends Omit<RequestOptions, 'runs'>, Pick<SessionOptions, 'scripted'> {
  /** A subject as on the command line, such as `node@22`, or an object. Default: this runtime. */
  readonly old?: string | SubjectRequest | undefined;
  readonly new?: string | SubjectRequest | undefined;
  /** Two or more subjects in place of `old` and `new`. The others are compared with the first one. */
  readonly subjects?: readonly (string | NamedSubject)[] | undefined;
  /** Default `auto`: each configuration runs until its verdict is clear. */
  readonly runs?: RequestOptions['runs'] | undefined;
  /**
   * Changes that are not accepted, such as `slower>=5%` or `alloc>5%`, as `--fail-on` of the command. The
   * result says whether the comparison passes. Default: none.
   */
  readonly failOn?: readonly string[] | undefined;
  /** Whether gates accept that results are missing. Default: false. */
  readonly allowMissing?: boolean | undefined;
  /** The results file. Default: none. */
  readonly out?: string | undefined;
  /** Ends the comparison: `compare` rejects with the reason when all processes have ended. */
  readonly signal?: AbortSignal | undefined;
  /** Gets every event of the session, which waits for a returned promise. Nothing is measured meanwhile. */
  readonly onEvent?: ((event: SessionEvent) => unknown) | undefined;
}

/** One case under the baseline and another subject. */
export interface ComparedCase extends Case, SubjectPair {
  /** `faster` means that the new subject is faster. */
  readonly verdict: RateWord;
  /** How many times as fast the new subject is, with its interval; null where there are too few runs. */
  readonly ratio: RatioInterval | null;
  /** All figures, with their method. */
  readonly comparison: Comparison;
  /** The successful runs in their order. */
  readonly runs: Readonly<Record<SubjectRole, readonly SucceededRun[]>>;
}

/** The result of a comparison. The command shows the same: `@bench-cli/report` renders it. */
export interface CompareResult extends JudgedResults {
  readonly session: SessionRecord;
  /** Sorted by name, then in the order of the subjects. */
  readonly comparisons: readonly ComparedCase[];
  /** Whether the comparison passes the gates of `failOn`, and why not; absent without a gate. */
  readonly gate?: GateOutcome;
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
 * @throws UsageError for invalid options, and if all benchmarks load the same code, unless `affected` is set
 */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  const {
    old,
    new: new_,
    subjects: several,
    runs = 'auto',
    out,
    signal,
    scripted,
    onEvent,
    failOn = [],
    allowMissing,
    ...selection
  } = options;
  checkOptionNames({ ...selection, runs });
  const subjects =
    several === undefined ? { old: subjectOf(old), new: subjectOf(new_) } : listOf(options, several);
  const [{ parseGate, rateWords }, { checkPlannedGates, rateLimits }] = await Promise.all([
    import('@bench-cli/stats'),
    import('@bench-cli/stats/internal'),
  ]);
  const gates = failOn.map(parseGate);
  const limits = rateLimits(gates);
  const rule = typeof runs === 'number' ? runs : { ...(runs === 'auto' ? {} : runs), limits };
  const { request } = await createRequest('compare', subjects, {
    ...selection,
    ...(failOn.length > 0 && { failOn, allowMissing }),
    runs: rule,
  });
  checkPlannedGates(gates, request);
  const collector = sessionCollector(out);
  const warnings: string[] = [];
  const warning = ({ message }: SessionEvent<'warning'>) => warnings.push(message);
  for await (const event of runSession(request, { signal, scripted, out }))
    await notify([{ event: onEvent, warning }, collector], event);
  const recording = collector.recording();
  if (recording === undefined) throw new Error('the session ended before it began');
  const judged = await judgeSession(recording, gates, allowMissing);
  const runsByCase = Map.groupBy(succeededRuns(recording.runs), caseKey);
  return {
    ...judged,
    session: recording.session,
    comparisons: judged.list.comparisons.map((comparison: Comparison) => {
      const { key, benchmark, configuration, baseline, subject, ratio } = comparison;
      const verdict = rateWords[comparison.verdict];
      const runsOf = (name: string) => runsByCase.get(key)?.filter((run) => run.subject === name) ?? [];
      const runs = { old: runsOf(baseline), new: runsOf(subject) };
      return { benchmark, configuration, baseline, subject, verdict, ratio, comparison, runs };
    }),
    failures: [...recording.failures, ...failedRuns(recording)],
    warnings,
  };
}

function subjectOf(subject: string | SubjectRequest = {}): SubjectRequest {
  return typeof subject === 'object' ? subject : readSubject(subject).request;
}

function listOf({ old, new: new_ }: CompareOptions, subjects: readonly (string | NamedSubject)[]) {
  if (old !== undefined || new_ !== undefined) {
    const problem = 'compare takes either old and new, or subjects: leave one of them out';
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
  }
  if (subjects.length < 2) {
    const problem = `compare requires at least two subjects, and there ${subjects.length === 1 ? 'is 1' : 'are none'}: add another one`;
    throw new UsageError('ERR_BENCH_OPTION', problem);
  }
  return subjects.map((subject) => (typeof subject === 'string' ? readSubject(subject) : subject));
}
