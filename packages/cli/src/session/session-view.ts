import { caseCount } from '@bench-cli/results';
import type { RunRecord, SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import type { Decision, SessionEvent } from '@bench-cli/runner';
import {
  benchmarkFailureText,
  counted,
  failedRunText,
  resumeCommand,
  shardText,
} from '../analysis/recording-text.ts';
import type { Terminal } from '../terminal.ts';
import { Interruption } from './interruption.ts';
import { Progress } from './progress.ts';

/** The result of a session. */
export interface SessionResult {
  readonly session: SessionRecord;
  /** Successful runs, in the order in which they ran. */
  readonly runs: readonly SucceededRun[];
  /** The number of cases of all shards; undefined if the session ended before it was planned. */
  readonly size: number | undefined;
  readonly failedRuns: number;
  readonly failedBenchmarks: number;
}

/** Prints results: each as it arrives, or all at the end. */
export interface ResultOutput {
  /** A benchmark starts. */
  benchmark?(name: string): void;
  run?(run: SucceededRun, session: SessionRecord): void;
  /** With --runs auto: a configuration gets no more runs. */
  decision?(decision: Decision): void;
  end?(result: SessionResult): void | Promise<void>;
}

export interface ViewOptions {
  /** Show a progress line on a terminal. */
  readonly progress: boolean;
  /** Stop at the first failure. */
  readonly bail: boolean;
  /** Print the duration of each benchmark. */
  readonly track: boolean;
  /** The file of the session, for the command that continues it; undefined if there is none. */
  readonly recordPath: string | undefined;
}

const progressIntervalMs = 250;

/**
 * Follows a session to its end: shows progress and failures, and passes results to the output as they arrive.
 * @returns the exit code
 */
export async function viewSession(
  events: AsyncIterable<SessionEvent>,
  output: ResultOutput,
  terminal: Terminal,
  options: ViewOptions,
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
            terminal.notice(`${shardText(shard, event.record)}; its file is ${options.recordPath}`);
          break;
        }
        case 'failure':
          failedBenchmarks++;
          terminal.notice(failureLine(terminal, benchmarkFailureText(event.record, comparing())));
          break;
        case 'benchmark start':
          output.benchmark?.(event.benchmark);
          break;
        case 'benchmark end':
          if (options.track)
            terminal.notice(`${event.benchmark} took ${(event.durationMs / 1000).toFixed(1)} s`);
          break;
        case 'run':
          if (event.record.status === 'failed') failedRuns++;
          takeRun(event.record);
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
  await output.end?.({ session, runs, size, failedRuns, failedBenchmarks });
  const failures = [
    ...(failedRuns > 0 ? [`${failedRuns} of ${runs.length + failedRuns} runs failed`] : []),
    ...(failedBenchmarks > 0 ? [`${counted(failedBenchmarks, 'benchmark')} could not run`] : []),
  ];
  if (failures.length > 0) terminal.notice(failureLine(terminal, `${failures.join(', and ')}; see above`));
  if (endedBy === undefined) return failures.length > 0 ? 1 : 0;
  const resume =
    options.recordPath === undefined
      ? ''
      : `; continue with: ${resumeCommand(session.request.command, options.recordPath)}`;
  if (endedBy === 'bail') {
    terminal.notice(`stopped at the first failure${resume}`);
    return 1;
  }
  if (endedBy.by !== 'closed output') terminal.notice(`${endedBy.message}${resume}`);
  return endedBy.exitCode;

  function takeRun(record: RunRecord): void {
    if (record.status === 'failed') {
      terminal.notice(failureLine(terminal, failedRunText(record, comparing())));
      return;
    }
    runs.push(record);
    if (session !== undefined) output.run?.(record, session);
  }
}

function failureLine(terminal: Terminal, text: string): string {
  return `${terminal.paint('red', 'failed:', 'stderr')} ${text}`;
}
