import { adaptiveRuns, argumentsOf } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';

/** The progress of a session and the time that is left, computed from its events. @param now a clock, milliseconds */
export function createProgress(now: () => number = () => performance.now()) {
  const startedAtMs = now();
  let totalRuns = 0;
  let finishedRuns = 0;
  let measuredRuns = 0;
  let measuredMs = 0;
  let request: SessionRequest | undefined;
  let decided = 0;
  let differing = 0;
  /** The decisions of an adaptive session, whose number of runs is unknown. */
  let toDecide = 0;
  /** The steps of a bisection, whose number is unknown. */
  let steps = 0;
  let current = '';
  /** When an adaptive session is expected to end, by the clock. */
  let endMs: number | undefined;
  /** The number of subjects after the baseline. */
  const others = () => (request?.subjects.length ?? 1) - 1;
  return {
    update(event: SessionEvent): void {
      switch (event.type) {
        case 'session':
          request = event.session.request;
          return;
        case 'planning':
          current = `planning ${event.index + 1}/${event.count}: ${event.benchmark}`;
          return;
        case 'planned':
          totalRuns = event.totalRuns;
          if (request === undefined || adaptiveRuns(request.runs) === undefined) return;
          toDecide = event.benchmarks
            .filter(({ isNew }) => !isNew)
            .reduce((sum, { configurations }) => sum + configurations * Math.max(1, others()), 0);
          return;
        case 'calibrating':
          current = `finding n of ${event.benchmark}`;
          return;
        case 'start': {
          const { benchmark, configuration, subject } = event.run;
          current = [benchmark, ...argumentsOf(configuration), `(${subject})`].join(' ');
          return;
        }
        case 'run':
          if (event.record.kind === 'control') return;
          finishedRuns++;
          if (event.resumed) return;
          measuredRuns++;
          measuredMs += event.record.durationMs;
          return;
        case 'step':
          steps++;
          return;
        case 'decision':
          decided++;
          if (event.decision.judgement.stopped === 'difference') differing++;
          return;
        case 'outlook':
          endMs = now() + event.leftMs;
          return;
        case 'skip':
          if (!event.run.isControl) totalRuns--;
      }
    },
    /** One line: the time passed and left, the finished runs, and the current run. */
    line(): string {
      const passed = `[${clock(now() - startedAtMs)}`;
      if (totalRuns === 0) return `${passed}] ${current}`;
      if (request?.command === 'bisect') {
        return `${passed}] step ${steps + 1}, ${finishedRuns} runs: ${current}`;
      }
      if (toDecide > 0) {
        const leftMs = (endMs ?? 0) - now();
        const left = leftMs > 0 ? `, about ${clock(leftMs)} left` : '';
        const what = others() > 0 ? 'comparisons' : 'configurations';
        const found = others() > 0 ? `, ${differing} differ` : '';
        return `${passed}${left}] ${decided} of ${toDecide} ${what} decided${found}, ${finishedRuns} runs: ${current}`;
      }
      const jobs = request?.settings.jobs?.length ?? 1;
      const leftMs = ((totalRuns - finishedRuns) * measuredMs) / measuredRuns / jobs;
      const left = measuredRuns === 0 ? '' : `, ${clock(leftMs)} left`;
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
