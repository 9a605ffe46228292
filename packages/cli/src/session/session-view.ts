import {
  brokenPromises,
  caseKey,
  caseName,
  counted,
  mostRuns,
  printedWarnings,
  resumeCommand,
  shownIn,
  succeededRuns,
} from '@bench-cli/results';
import {
  type BenchmarkFailure,
  byPlan,
  type FailedRun,
  type Failure,
  type PlanRecord,
  type Recording,
  type SessionRequest,
  type Shard,
} from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import {
  failedRuns,
  notify,
  type SessionEvent,
  type SessionListener,
  sessionCollector,
} from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';
import { Interruption, type RoundInterruption } from './interruption.ts';
import { showProgress } from './progress.ts';

/** Prints results: each as it arrives, or all at the end. */
export type ResultOutput = SessionListener & {
  /** @returns whether the result fails the command; without an answer, failed runs and benchmarks do */
  showResult?(recording: Recording, interruption?: Interruption): unknown;
};

/**
 * Passes runs to an output round by round, in the order of the plan; they run in drawn order. A second run of
 * a subject of a case begins a round.
 */
export function inPlanOrder(
  output: ResultOutput,
  { subjects }: Pick<SessionRequest, 'subjects'>,
): ResultOutput {
  const names = subjects.map(({ name }) => name);
  let inOrder: ReturnType<typeof byPlan> = (runs) => [...runs];
  const waiting = new Map<string, SessionEvent<'run'>>();
  const pass = async () => {
    const events = new Map(Array.from(waiting.values(), (event) => [event.record, event]));
    waiting.clear();
    for (const record of inOrder([...events.keys()])) {
      const event = events.get(record);
      if (event !== undefined) await output.run?.(event);
    }
  };
  return {
    ...output,
    plan: ({ record }) => {
      inOrder = byPlan(record, names);
    },
    run: async (event) => {
      const { subject, result, kind } = event.record;
      const key = JSON.stringify([caseKey(event.record), subject, result, kind]);
      if (waiting.has(key)) await pass();
      waiting.set(key, event);
    },
    'benchmark end': async (event) => {
      await pass();
      await output['benchmark end']?.(event);
    },
    showResult: async (recording, interruption) => {
      await pass();
      return output.showResult?.(recording, interruption);
    },
  };
}

export interface ViewOptions extends Pick<CommandSettings<'run'>, 'progress'> {
  readonly rounds?: RoundInterruption;
  /** The file of the session, for the command that continues it. Default: the session is not recorded. */
  readonly recordPath?: string;
  /** What a failed run ends. Default: only itself. */
  readonly failureEnds?: 'case';
}

/** Follows a session to its end: shows progress and failures, and passes events to the output. */
export async function viewSession(
  events: AsyncIterable<SessionEvent>,
  output: ResultOutput,
  terminal: Terminal,
  { progress: hasProgress = false, rounds, recordPath, failureEnds }: ViewOptions,
): Promise<number> {
  const collector = sessionCollector(recordPath);
  const progress = hasProgress ? showProgress(terminal) : undefined;
  const all = [collector, output, messages(terminal, collector), progress, rounds];
  const listeners = all.filter((each) => each !== undefined);
  let interruption: Interruption | undefined;
  try {
    for await (const event of events) await notify(listeners, event);
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    interruption = error;
  } finally {
    progress?.stop();
  }
  const recording = collector.recording();
  if (recording === undefined) return interruption?.exitCode ?? 1;
  const answer = await output.showResult?.(recording, interruption);
  for (const text of exitCodes(recording.runs)) terminal.notice(text);
  for (const text of printedWarnings([recording])) terminal.notice(`warning: ${text}`);
  const failures = failuresOf(recording, failureEnds);
  if (failures !== undefined) terminal.failure(failures);
  const broken = brokenPromises(recording);
  if (broken.length > 0)
    terminal.failure(`what bench-cli promises does not hold here (${broken.join(', ')}); see above`);
  const isFailed = typeof answer === 'boolean' ? answer : failures !== undefined || broken.length > 0;
  if (interruption === undefined) return isFailed ? 1 : 0;
  const { session, file } = recording;
  const resume = file && `; continue with: ${resumeCommand(session.request, file)}`;
  if (interruption.by !== 'closed output') terminal.notice(`${interruption.message}${resume ?? ''}`);
  return interruption.exitCode;
}

/** Shows warnings and failures. @param collector gets events first */
function messages(terminal: Terminal, collector: ReturnType<typeof sessionCollector>): SessionListener {
  /** The errors that are shown. One mistake can fail many runs, so the end counts equal errors. */
  const known = new Set<string>();
  let isGivingUp = false;
  return {
    warning: ({ message }) => terminal.notice(`warning: ${message}`),
    plan: ({ record }) => {
      const { session, file } = collector.begun() ?? {};
      const shard = session?.request.shard;
      if (shard !== undefined) terminal.notice(`${shardText(shard, record)}; its file is ${file}`);
    },
    failure: ({ record }) =>
      terminal.failure(benchmarkFailureText(record, collector.begun()?.session.request)),
    run: ({ record }) => {
      const { session } = collector.begun() ?? {};
      if (record.status === 'ok' || session === undefined) return;
      const error = `${record.subject} ${record.failure.message}`;
      if (!known.has(error)) terminal.failure(failedRunText(record, session.request));
      known.add(error);
    },
    version: ({ record }) => {
      if (record.status === 'failed') terminal.notice(`skipped ${record.version}: ${record.failure.message}`);
    },
    'give up': () => {
      if (!isGivingUp) terminal.notice('    a case that fails twice in a row has no more runs');
      isGivingUp = true;
    },
  };
}

/** Shows the failures of a recorded session as while it ran: each error once, and how many there were. */
export function showFailures(recording: Recording, terminal: Terminal): void {
  const { request } = recording.session;
  for (const failure of recording.failures) terminal.failure(benchmarkFailureText(failure, request));
  const byError = Map.groupBy(failedRuns(recording), ({ failure }) => failure.message);
  for (const [first] of byError.values())
    if (first !== undefined) terminal.failure(failedRunText(first, request));
  const count = failuresOf(recording);
  if (count !== undefined) terminal.failure(count);
}

/** More runs are counted. */
const MOST_RUNS = 10;

/** The whole commands that ended with another exit code than 0, with these runs, if that is ignored. */
function exitCodes(records: Recording['runs']): readonly string[] {
  const ended = succeededRuns(records).filter(({ values }) => values['exitCode'] !== undefined);
  const groups = Map.groupBy(ended, (run) =>
    JSON.stringify([caseName(run), run.subject, run.values['exitCode']]),
  );
  return [...groups.values()].flatMap((runs) => {
    const [first] = runs;
    if (first === undefined) return [];
    const numbers = runs.slice(0, MOST_RUNS).map(({ round }) => round + 1);
    const more = runs.length > MOST_RUNS ? ` and ${runs.length - MOST_RUNS} more` : '';
    return `${caseName(first)}: exit code ${first.values['exitCode']} in ${runs.length === 1 ? 'run' : 'runs'} ${numbers.join(', ')}${more}`;
  });
}

/** How many runs and benchmarks failed; with their names if each runs once, else with repeated errors. */
function failuresOf(recording: Recording, ended?: 'case'): string | undefined {
  const { session, failures, runs, metricRuns } = recording;
  const failed = failedRuns(recording);
  const all = succeededRuns([...runs, ...metricRuns]).length + failed.length;
  const failedCount = ended === undefined ? `${failed.length} of ${all} runs` : counted(failed.length, ended);
  const counts = [
    ...(failed.length > 0 ? [`${failedCount} failed`] : []),
    ...(failures.length > 0 ? [`${counted(failures.length, 'benchmark')} could not run`] : []),
  ];
  if (counts.length === 0) return undefined;
  const names = [...failures.map(({ benchmark }) => shownIn('name', benchmark)), ...failed.map(caseName)];
  if (session.request.settings.shortest) return [`${counts.join(', and ')}:`, ...names].join('\n    ');
  const repeated = [...Map.groupBy(failed, ({ failure }) => failure.message)].flatMap(
    ([message, { length }]) => (length === 1 ? [] : `\n    ${length} times: ${message}`),
  );
  return `${counts.join(', and ')}; see above${repeated.join('')}`;
}

function shardText({ index, count }: Shard, plan: PlanRecord): string {
  const shards = plan.benchmarks.flatMap((benchmark) => benchmark.shards ?? []);
  const part = shards.filter((shard) => shard === index).length;
  return part === 0
    ? `shard ${index}/${count} has nothing to run: the session has ${counted(shards.length, 'case')}`
    : `shard ${index}/${count} has ${part} of ${shards.length} cases`;
}

function failedRunText(run: FailedRun, { subjects, runs }: SessionRequest): string {
  const details = [
    ...(subjects.length > 1 ? [run.subject] : []),
    ...(mostRuns(runs) > 1 ? [`run ${run.round + 1}`] : []),
  ];
  return failureText(`${caseName(run)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`, run.failure);
}

const phases = {
  plan: 'could not be planned',
  setup: 'setup failed, so it does not run',
  teardown: 'teardown failed',
} as const;

export function benchmarkFailureText(
  { benchmark, phase, subject, failure }: BenchmarkFailure,
  request: SessionRequest | undefined,
): string {
  const isComparing = request !== undefined && request.subjects.length > 1;
  const name = `${shownIn('name', benchmark)}${isComparing ? ` (${subject})` : ''}`;
  return failureText(`${name}: ${phases[phase]}`, failure);
}

function failureText(heading: string, { message, place, output }: Failure): string {
  const lines = [`${heading}: ${message}`];
  if (place !== undefined) lines.push(`    at ${place}`);
  const isInternal = (line: string) => /^\s+at .*\bnode:internal\//.test(line);
  const printed = output === '' ? [] : output.split('\n').filter((line) => !isInternal(line));
  if (printed.length > 0) lines.push('    it printed:', ...printed.slice(-20).map((line) => `    | ${line}`));
  return lines.join('\n');
}
