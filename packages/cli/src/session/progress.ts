import { adaptiveRuns, argumentsOf } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { SessionListener } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';

const statusIntervalMs = 250;

/** A run that takes so many times as long as the others, and this long, makes an estimate of the time left wrong. */
const slow = { times: 5, leastMs: 10_000 };

/** How often the progress is a line of a log that is not a terminal. */
const logIntervalMs = 30_000;

/** Shows the progress of a session until `stop`: on the last line of a terminal, or in a log if the session takes long. */
export function showProgress(terminal: Terminal, isShown = false): SessionListener & { stop(): void } {
  const progress = sessionProgress();
  const showStatus = () => terminal.status(isShown ? progress.line() : undefined);
  let isLogged = false;
  const log = () => {
    isLogged = isShown;
    if (isShown) terminal.notice(progress.line());
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

/** At another end, such as that of the time, the result is undecided. */
const DECISIVE: ReadonlySet<string> = new Set([
  'difference',
  'equivalence',
  'zero-rate',
  'precision',
  'place',
]);

/** The progress of a session and the time that is left, computed from its events. @param now a clock, milliseconds */
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
  let differing = 0;
  /** The decisions of an adaptive session, whose number of runs is unknown. */
  let toDecide = 0;
  /** The steps of a bisection, whose number is unknown. */
  let steps = 0;
  let current = '';
  const show = (text: string) => {
    current = text;
  };
  /** When an adaptive session is expected to end, by the clock. */
  let endMs: number | undefined;
  /** The number of subjects after the baseline. */
  const others = () => (request?.subjects.length ?? 1) - 1;
  const listener: SessionListener = {
    session: ({ session }) => {
      request = session.request;
    },
    planning: ({ benchmark, index, count }) => show(`planning ${index + 1}/${count}: ${benchmark}`),
    planned: (planned) => {
      totalRuns = planned.totalRuns;
      if (request === undefined || adaptiveRuns(request.runs) === undefined) return;
      toDecide = planned.benchmarks
        .filter(({ isNew }) => !isNew)
        .reduce((sum, { configurations }) => sum + configurations * Math.max(1, others()), 0);
    },
    start: ({ run: { benchmark, configuration, subject } }) => {
      runBeganMs = now();
      show([benchmark, ...argumentsOf(configuration), `(${subject})`].join(' '));
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
      const { reason } = judgement;
      if (reason !== null && DECISIVE.has(reason)) decided++;
      if (reason === 'difference') differing++;
    },
    outlook: ({ leftMs }) => {
      endMs = now() + leftMs;
    },
    skip: () => totalRuns--,
  };
  /** How long the run in progress takes, if it is much slower than the others: then nobody knows the time left. */
  const slowRun = () => {
    const runMs = now() - (runBeganMs ?? now());
    const isSlow = runMs > Math.max(slow.leastMs, (slow.times * measuredMs) / measuredRuns);
    return isSlow ? `, this run takes ${clock(runMs)} so far` : undefined;
  };
  return {
    listener,
    /** One line: the time passed and left, the finished runs, and the current run. */
    line(): string {
      const passed = `[${clock(now() - startedAtMs)}`;
      if (totalRuns === 0) return `${passed}] ${current}`;
      if (request?.command === 'bisect') {
        return `${passed}] step ${steps + 1}, ${finishedRuns} runs: ${current}`;
      }
      if (toDecide > 0) {
        const leftMs = (endMs ?? 0) - now();
        const left = slowRun() ?? (leftMs > 0 ? `, about ${clock(leftMs)} left` : '');
        const what = others() > 0 ? 'comparisons' : 'configurations';
        const found = others() > 0 ? `, ${differing} differ` : '';
        return `${passed}${left}] ${decided} of ${toDecide} ${what} decided${found}, ${finishedRuns} runs: ${current}`;
      }
      const jobs = request?.settings.jobs?.length ?? 1;
      const leftMs = ((totalRuns - finishedRuns) * measuredMs) / measuredRuns / jobs;
      const left = slowRun() ?? (measuredRuns === 0 ? '' : `, ${clock(leftMs)} left`);
      const percent = Math.floor((finishedRuns / totalRuns) * 100);
      return `${passed}${left}] ${percent} % ${finishedRuns}/${totalRuns} runs: ${current}`;
    },
    summary(): string {
      return `finished: ${finishedRuns} runs in ${clock(now() - startedAtMs)}`;
    },
  };
}

/** `04:31`, or `1:04:31` from one hour on. */
function clock(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}:${rest}`;
}
