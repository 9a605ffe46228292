import type { RunRecord, SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import type { Decision, SessionEvent } from '@bench-cli/runner';
import { plannedSize } from '../input/compared-results.ts';
import type { Terminal } from '../terminal.ts';
import { benchmarkFailureText, failedRunText } from './failure-text.ts';
import { Progress } from './progress.ts';
import { shardText } from './shard-text.ts';

/** What a session came to. */
export interface SessionResult {
  readonly session: SessionRecord;
  /** Successful runs, in the order in which they ran. */
  readonly runs: readonly SucceededRun[];
  /** How many cases it has, all shards together; undefined if it ended before it was planned. */
  readonly size: number | undefined;
  readonly failedRuns: number;
  readonly failedBenchmarks: number;
  /** The signal that ended it early, or that it stopped at the first failure. */
  readonly endedBy: NodeJS.Signals | 'bail' | 'closed output' | undefined;
}

/** What becomes of results as they arrive, and of all of them in the end. */
export interface ResultOutput {
  /** A benchmark begins; `name` is its name. */
  benchmark?(name: string): void;
  run?(run: SucceededRun, session: SessionRecord): void;
  /** A configuration of a session that ends by what the runs show gets no more. */
  decision?(decision: Decision): void;
  end?(result: SessionResult): void | Promise<void>;
}

export interface ViewOptions {
  /** Show a progress line on a terminal. */
  readonly progress: boolean;
  /** Stop at the first failure. */
  readonly bail: boolean;
  /** Tell how long each benchmark took. */
  readonly track: boolean;
  /** Where the session is recorded, for the hint on how to continue it. */
  readonly recordPath: string;
}

/** Why a session was interrupted: the reason of its AbortSignal. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly by: NodeJS.Signals | 'closed output';

  constructor(by: NodeJS.Signals | 'closed output') {
    super(`interrupted by ${by}`);
    this.by = by;
  }
}

const progressIntervalMs = 250;

/**
 * Follows a session to its end: shows progress and failures, hands results to the output as they come.
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
  let endedBy: SessionResult['endedBy'];
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
          size = plannedSize(event.record);
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
          terminal.notice('    it failed twice in a row: its other runs are left out');
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
    endedBy = error.by;
  } finally {
    clearInterval(timer);
    terminal.status(undefined);
  }
  if (session === undefined) return exitCodeOf(endedBy, true);
  await output.end?.({ session, runs, size, failedRuns, failedBenchmarks, endedBy });
  const failed = failedRuns + failedBenchmarks > 0;
  if (failed) {
    const parts = [
      ...(failedRuns > 0 ? [`${failedRuns} of ${runs.length + failedRuns} runs failed`] : []),
      ...(failedBenchmarks > 0
        ? [`${failedBenchmarks} benchmark${failedBenchmarks === 1 ? '' : 's'} could not run`]
        : []),
    ];
    terminal.notice(failureLine(terminal, `${parts.join(', and ')}; see above`));
  }
  if (endedBy !== undefined && endedBy !== 'closed output') {
    const how = endedBy === 'bail' ? 'stopped at the first failure' : `interrupted by ${endedBy}`;
    const { command } = session.request;
    terminal.notice(`${how}; go on with: bench-cli ${command} --resume ${options.recordPath}`);
  }
  return exitCodeOf(endedBy, failed);

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

/** 128 and the number of the signal is what shells expect of a command that a signal ended. */
const signalExitCodes: Partial<Record<NonNullable<SessionResult['endedBy']>, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
  'closed output': 141,
};

function exitCodeOf(endedBy: SessionResult['endedBy'], failed: boolean): number {
  if (endedBy === undefined) return failed ? 1 : 0;
  return signalExitCodes[endedBy] ?? 1;
}
