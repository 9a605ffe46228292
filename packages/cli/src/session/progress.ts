import {
  adaptiveRuns,
  displayWidth,
  groupName,
  mostRuns,
  shortened,
  shownArguments,
  shownIn,
} from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { SessionListener } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';

const statusIntervalMs = 250;

/** A run that is this long, and this many times longer than others, spoils the estimate of the time left. */
const slow = { times: 5, leastMs: 10_000 };

/** How often the progress is a line of a log that is not a terminal. */
const logIntervalMs = 30_000;

/** Shows the progress of a session until `stop`, on the last line of a terminal or in a log. */
export function showProgress(terminal: Terminal): SessionListener & { stop(): void } {
  const progress = sessionProgress();
  const showStatus = () => terminal.status(progress.line);
  let isLogged = false;
  const log = () => {
    isLogged = true;
    terminal.notice(progress.line());
  };
  const timer = terminal.statusIsTerminal
    ? setInterval(showStatus, statusIntervalMs)
    : setInterval(log, logIntervalMs);
  return {
    ...progress.listener,
    event: showStatus,
    end: () => {
      if (isLogged) terminal.notice(progress.summary());
    },
    stop() {
      clearInterval(timer);
      terminal.status(undefined);
    },
  };
}

const LEAST_NAME = 8;
const SEPARATOR = ' · ';

/** At another end, such as that of the time, the result is undecided. */
const DECISIVE = new Set<string | null>(['difference', 'equivalence', 'zero-rate', 'precision', 'place']);

/** The progress of a session and the time left, from its events. @param now a clock, milliseconds */
export function sessionProgress(now: () => number = () => performance.now()) {
  const startedAtMs = now();
  let totalRuns = 0;
  let finishedRuns = 0;
  let measuredRuns = 0;
  let measuredMs = 0;
  /** When the run began that is in progress. */
  let runBeganMs: number | undefined;
  let request: SessionRequest | undefined;
  let decided = 0;
  /** The decisions of an adaptive session, whose number of runs is unknown. */
  let toDecide = 0;
  let [benchmarks, cases] = [0, 0];
  /** The steps of a bisection, whose number is unknown. */
  let steps = 0;
  let [place, name] = ['', ''];
  /** When an adaptive session is expected to end, by the clock. */
  let endMs: number | undefined;
  /** The number of subjects after the baseline. */
  const others = () => (request?.subjects.length ?? 1) - 1;
  const listener: SessionListener = {
    session: ({ session }) => {
      request = session.request;
    },
    planning: ({ benchmark, index, count }) => {
      [place, name] = [`planning ${index + 1}/${count}`, shownIn('name', benchmark)];
    },
    planned: (planned) => {
      totalRuns = planned.totalRuns;
      benchmarks = planned.benchmarks.length;
      cases = planned.benchmarks.reduce((sum, { configurations }) => sum + configurations, 0);
      if (request === undefined || adaptiveRuns(request.runs) === undefined) return;
      toDecide = planned.benchmarks
        .filter(({ isNew }) => !isNew)
        .reduce((sum, { configurations }) => sum + configurations * Math.max(1, others()), 0);
    },
    start: ({ run: { benchmark, configuration, subject, round } }) => {
      runBeganMs = now();
      const values = shownArguments(configuration);
      const caseText = benchmarks === 1 && values !== '' ? values : groupName(benchmark, configuration);
      // Only what differs from run to run.
      if (request?.subjects.length === 1) name = caseText;
      else name = cases === 1 ? shownIn('name', subject) : `${caseText} (${subject})`;
      if (toDecide > 0) place = `${round + 1}/${mostRuns(request?.runs ?? 1)}`;
    },
    run: ({ record, resumed }) => {
      runBeganMs = undefined;
      finishedRuns++;
      if (record.kind === 'look') totalRuns++;
      if (resumed) return;
      measuredRuns++;
      measuredMs += record.durationMs;
    },
    step: () => steps++,
    decision: ({ decision: { judgement } }) => {
      if (DECISIVE.has(judgement.reason)) decided++;
    },
    outlook: ({ leftMs }) => {
      endMs = now() + leftMs;
    },
    skip: () => totalRuns--,
  };
  /** The time of a run that is much slower than the others, which makes the time left unknown. */
  const slowRun = () => {
    const runMs = now() - (runBeganMs ?? now());
    const isSlow = runMs > Math.max(slow.leastMs, (slow.times * measuredMs) / measuredRuns);
    return isSlow ? `this run takes ${clock(runMs)} so far` : undefined;
  };
  /** The time that is left: expected of an adaptive session, by the runs so far of another one. */
  const leftText = () => {
    const jobs = request?.settings.jobs?.length ?? 1;
    const byRunsMs = ((totalRuns - finishedRuns) * measuredMs) / measuredRuns / jobs;
    const leftMs = toDecide > 0 ? (endMs ?? 0) - now() : byRunsMs;
    return leftMs > 0 ? `${toDecide > 0 ? '≈ ' : ''}${clock(leftMs)} left` : undefined;
  };
  const partsOf = () => {
    if (totalRuns === 0) return [place];
    if (request?.command === 'bisect') return [`step ${steps + 1}, ${finishedRuns} runs`];
    const clear = toDecide > 0 ? `${decided} of ${toDecide} clear` : undefined;
    return [toDecide > 0 ? place : `${finishedRuns}/${totalRuns}`, clear, slowRun() ?? leftText()];
  };
  return {
    listener,
    /** One line: the finished runs, the current run, the results that are clear, and the time left. */
    line(width = Number.POSITIVE_INFINITY): string {
      const parts = partsOf().filter((part) => part !== undefined && part !== '');
      const room = width - displayWidth([...parts, ''].join(SEPARATOR));
      const shown = shortened(name, Math.max(LEAST_NAME, room), displayWidth);
      return parts.toSpliced(1, 0, ...(shown === '' ? [] : [shown])).join(SEPARATOR);
    },
    summary(): string {
      return `finished: ${finishedRuns} runs in ${clock(now() - startedAtMs)}`;
    },
  };
}

/** `4:31`, or `1:04:31` from one hour on. */
function clock(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
