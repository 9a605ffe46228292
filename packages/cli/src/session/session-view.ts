import { caseCount } from '@bench-cli/results';
import type { SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import type { Decision, SessionEvent } from '@bench-cli/runner';
import {
  benchmarkFailureText,
  counted,
  failedRunText,
  resumeCommand,
  shardText,
} from '../analysis/recording-text.ts';
import type { ExecutionOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { Interruption } from './interruption.ts';
import { Progress } from './progress.ts';

export interface SessionResult {
  readonly session: SessionRecord;
  /** Successful runs, in the order in which they ran. */
  readonly runs: readonly SucceededRun[];
  /** The number of cases of all shards; undefined if the session ended before it was planned. */
  readonly size: number | undefined;
  readonly failedRuns: number;
  readonly failedBenchmarks: number;
  /** Whether the session ran to its end. */
  readonly isComplete: boolean;
  /** The file of the session. */
  readonly recordPath: string;
}

/** Prints results: each as it arrives, or all at the end. */
export interface ResultOutput {
  benchmark?(name: string): void;
  run?(run: SucceededRun, session: SessionRecord): void;
  /** With --runs auto: a configuration gets no more runs. */
  decision?(decision: Decision): void;
  /** @returns whether the result fails the command */
  end?(result: SessionResult): boolean | Promise<boolean>;
}

export interface ViewOptions extends Pick<ExecutionOptions, 'progress' | 'bail'> {
  readonly track?: boolean;
}

const progressIntervalMs = 250;

/**
 * Follows a session to its end: shows progress and failures, and passes results to the output as they arrive.
 * @param recordPath the file of the session, for the command that continues it; none if the session is not recorded
 * @returns the exit code
 */
export async function viewSession(
  events: AsyncIterable<SessionEvent>,
  output: ResultOutput,
  terminal: Terminal,
  options: ViewOptions,
  recordPath?: string,
): Promise<number> {
  const progress = new Progress();
  const showProgress = () => terminal.status(options.progress ? progress.line() : undefined);
  const timer = setInterval(showProgress, progressIntervalMs);
  const runs: SucceededRun[] = [];
  let session: SessionRecord | undefined;
  let size: number | undefined;
  let failedRuns = 0;
  let failedBenchmarks = 0;
  let endedBy: Interruption | 'bail' | undefined;
  const noticeFailure = (text: string) =>
    terminal.notice(`${terminal.paint('red', 'failed:', 'stderr')} ${text}`);
  const comparing = () => (session?.request.subjects.length ?? 1) > 1;
  try {
    for await (const event of events) {
      progress.update(event);
      switch (event.type) {
        case 'session':
          session = event.session;
          break;
        case 'warning':
          terminal.notice(`warning: ${event.message}`);
          break;
        case 'plan': {
          size = caseCount(event.record);
          const shard = session?.request.shard;
          if (shard !== undefined)
            terminal.notice(`${shardText(shard, event.record)}; its file is ${recordPath}`);
          break;
        }
        case 'failure':
          failedBenchmarks++;
          noticeFailure(benchmarkFailureText(event.record, comparing()));
          break;
        case 'benchmark start':
          output.benchmark?.(event.benchmark);
          break;
        case 'benchmark end':
          if (options.track)
            terminal.notice(`${event.benchmark} took ${(event.durationMs / 1000).toFixed(1)} s`);
          break;
        case 'run':
          if (event.record.status === 'failed') {
            failedRuns++;
            noticeFailure(failedRunText(event.record, comparing()));
          } else {
            runs.push(event.record);
            if (session !== undefined) output.run?.(event.record, session);
          }
          break;
        case 'decision':
          output.decision?.(event.decision);
          break;
        case 'give up':
          terminal.notice('    it failed twice in a row: its other runs are skipped');
          break;
      }
      if (options.bail && failedRuns + failedBenchmarks > 0) {
        endedBy = 'bail';
        break;
      }
      showProgress();
    }
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    endedBy = error;
  } finally {
    clearInterval(timer);
    terminal.status(undefined);
  }
  if (session === undefined) return endedBy instanceof Interruption ? endedBy.exitCode : 1;
  const isComplete = endedBy === undefined;
  const result = { session, runs, size, failedRuns, failedBenchmarks, isComplete };
  const isFailed = recordPath !== undefined && ((await output.end?.({ ...result, recordPath })) ?? false);
  const failures = [
    ...(failedRuns > 0 ? [`${failedRuns} of ${runs.length + failedRuns} runs failed`] : []),
    ...(failedBenchmarks > 0 ? [`${counted(failedBenchmarks, 'benchmark')} could not run`] : []),
  ];
  if (failures.length > 0) noticeFailure(`${failures.join(', and ')}; see above`);
  if (endedBy === undefined) return isFailed || failures.length > 0 ? 1 : 0;
  const resume =
    recordPath === undefined ? '' : `; continue with: ${resumeCommand(session.request.command, recordPath)}`;
  if (endedBy === 'bail') {
    terminal.notice(`stopped at the first failure${resume}`);
    return 1;
  }
  if (endedBy.by !== 'closed output') terminal.notice(`${endedBy.message}${resume}`);
  return endedBy.exitCode;
}
