import { caseName, counted } from '@bench-cli/results';
import {
  type Recording,
  type RecordLine,
  recordingOf,
  type SessionRecord,
  type SucceededRun,
} from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import type { SessionEvent } from '@bench-cli/runner';
import { benchmarkFailureText, failedRunText, resumeCommand, shardText } from '../analysis/recording-text.ts';
import type { Terminal } from '../terminal.ts';
import { Interruption, type RoundInterruption } from './interruption.ts';
import { createProgress } from './progress.ts';

export interface SessionResult {
  readonly session: SessionRecord;
  /** All that the file of the session has, too. */
  readonly recording: Recording;
  /** The successful runs, in the order in which they ran. */
  readonly runs: readonly SucceededRun[];
  readonly metricRuns: readonly SucceededRun[];
  readonly failedRuns: number;
  readonly failedBenchmarks: number;
  /** Whether the session ran to its end. */
  readonly isComplete: boolean;
  readonly interruption: Interruption | undefined;
  /** The file of the session, which can have moved; empty if it is not recorded. */
  readonly recordPath: string;
}

/** Prints results: each as it arrives, or all at the end. */
export interface ResultOutput {
  event?(event: SessionEvent): undefined | Promise<void>;
  /** A successful run that measured the rate. */
  run?(run: SucceededRun): void;
  /** @returns whether the result fails the command; default: no */
  end?(result: SessionResult): boolean | undefined | Promise<boolean | undefined>;
}

export interface ViewOptions extends Pick<CommandSettings<'run'>, 'progress'> {
  readonly rounds?: RoundInterruption;
}

/** Rates with calibrated and with declared counts are not comparable. */
const calibrationNotice =
  '--calibrate: the rates are those of warmed-up code; with the declared counts, start-up and compilation count more';

const progressIntervalMs = 250;

/** How often the progress is a line of a log that is not a terminal. */
export const logIntervalMs = 30_000;

/**
 * Follows a session to its end: shows progress and failures, and passes results to the output as they arrive.
 * @param recordPath the file of the session, for the command that continues it; empty if the session is not recorded
 */
export async function viewSession(
  events: AsyncIterable<SessionEvent>,
  output: ResultOutput,
  terminal: Terminal,
  options: ViewOptions,
  recordPath = '',
): Promise<number> {
  let path = recordPath;
  const progress = createProgress();
  const showProgress = () => terminal.status(options.progress ? progress.line() : undefined);
  let isLogged = false;
  const logProgress = () => {
    if (!options.progress) return;
    isLogged = true;
    terminal.notice(progress.line());
  };
  const timer = terminal.statusIsTerminal
    ? setInterval(showProgress, progressIntervalMs)
    : setInterval(logProgress, logIntervalMs);
  const lines: RecordLine[] = [];
  let isCalibrated = false;
  let session: SessionRecord | undefined;
  const failed: string[] = [];
  let failedRuns = 0;
  let failedBenchmarks = 0;
  let endedBy: Interruption | undefined;
  const comparing = () => (session?.request.subjects.length ?? 1) > 1;
  // A version between the ends of a bisection may fail.
  const isEnd = (subject: string) => session?.request.subjects.some(({ name }) => name === subject) ?? true;
  try {
    for await (const event of events) {
      progress.update(event);
      if ('record' in event) lines.push(event.record);
      await output.event?.(event);
      switch (event.type) {
        case 'session':
          session = event.session;
          break;
        case 'warning':
          terminal.notice(`warning: ${event.message}`);
          path = event.movedTo ?? path;
          break;
        case 'plan': {
          const shard = session?.request.shard;
          if (shard !== undefined) terminal.notice(`${shardText(shard, event.record)}; its file is ${path}`);
          break;
        }
        case 'calibrating':
          if (options.progress && !isCalibrated) terminal.notice(calibrationNotice);
          isCalibrated = true;
          break;
        case 'failure':
          failedBenchmarks++;
          failed.push(event.record.benchmark);
          terminal.failure(benchmarkFailureText(event.record, comparing()));
          break;
        case 'run':
          if (event.record.status === 'failed') {
            if (isEnd(event.record.subject)) failedRuns++;
            failed.push(caseName(event.record));
            terminal.failure(failedRunText(event.record, comparing()));
          } else if (event.record.kind === 'rate') output.run?.(event.record);
          break;
        case 'version':
          if (event.record.status === 'failed')
            terminal.notice(`skipped ${event.record.version}: ${event.record.failure.message}`);
          break;
        case 'give up':
          terminal.notice('    it failed twice in a row: its other runs are skipped');
          break;
      }
      endedBy = session && options.rounds?.endedBy(event, session.request);
      if (endedBy !== undefined) break;
      showProgress();
    }
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    endedBy = error;
  } finally {
    clearInterval(timer);
    terminal.status(undefined);
  }
  if (session === undefined) return endedBy?.exitCode ?? 1;
  const isComplete = endedBy === undefined;
  if (isComplete) lines.push({ type: 'end', endedAt: new Date().toISOString() });
  const recording = recordingOf(session, lines);
  const runs = recording.runs.filter((run) => run.status === 'ok');
  const metricRuns = recording.metricRuns.filter((run) => run.status === 'ok');
  const measured = { session, recording, runs, metricRuns, recordPath: path };
  const ending = { failedRuns, failedBenchmarks, isComplete, interruption: endedBy };
  const isFailed = (await output.end?.({ ...measured, ...ending })) ?? false;
  const failures = [
    ...(failedRuns > 0
      ? [`${failedRuns} of ${runs.length + metricRuns.length + failedRuns} runs failed`]
      : []),
    ...(failedBenchmarks > 0 ? [`${counted(failedBenchmarks, 'benchmark')} could not run`] : []),
  ];
  if (isLogged && isComplete) terminal.notice(progress.summary());
  if (failures.length > 0) {
    const which = session.request.settings.shortest ? [':', ...failed].join('\n    ') : '; see above';
    terminal.failure(`${failures.join(', and ')}${which}`);
  }
  if (endedBy === undefined) return isFailed || failures.length > 0 ? 1 : 0;
  const resume = path === '' ? '' : `; continue with: ${resumeCommand(session.request.command, path)}`;
  if (endedBy.by !== 'closed output') terminal.notice(`${endedBy.message}${resume}`);
  return endedBy.exitCode;
}
