import { argumentsOf } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';

/** The progress of a session and the time that is left, computed from its events. */
export class Progress {
  readonly #now: () => number;
  readonly #startedAtMs: number;
  #totalRuns = 0;
  #finishedRuns = 0;
  #measuredRuns = 0;
  #measuredMs = 0;
  #request: SessionRequest | undefined;
  #decided = 0;
  #differing = 0;
  /** The decisions of an adaptive session, whose number of runs is unknown. */
  #toDecide = 0;
  /** The steps of a bisection, whose number is unknown. */
  #steps = 0;
  #current = '';
  /** When an adaptive session is expected to end, by the clock. */
  #endMs: number | undefined;

  /** @param now a clock, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#startedAtMs = now();
  }

  update(event: SessionEvent): void {
    switch (event.type) {
      case 'session':
        this.#request = event.session.request;
        return;
      case 'planning':
        this.#current = `planning ${event.index + 1}/${event.count}: ${event.benchmark}`;
        return;
      case 'planned':
        this.#totalRuns = event.totalRuns;
        if (typeof this.#request?.runs !== 'object') return;
        this.#toDecide = event.benchmarks
          .filter(({ isNew }) => !isNew)
          .reduce((sum, { configurations }) => sum + configurations * Math.max(1, this.#others), 0);
        return;
      case 'calibrating':
        this.#current = `finding n of ${event.benchmark}`;
        return;
      case 'start': {
        const { benchmark, configuration, subject } = event.run;
        this.#current = [benchmark, ...argumentsOf(configuration), `(${subject})`].join(' ');
        return;
      }
      case 'run':
        if (event.record.kind === 'start-up') return;
        this.#finishedRuns++;
        if (event.resumed) return;
        this.#measuredRuns++;
        this.#measuredMs += event.record.durationMs;
        return;
      case 'step':
        this.#steps++;
        return;
      case 'decision':
        this.#decided++;
        if (event.decision.judgement.stopped === 'difference') this.#differing++;
        return;
      case 'outlook':
        this.#endMs = this.#now() + event.leftMs;
        return;
      case 'skip':
        this.#totalRuns--;
    }
  }

  /** One line: the time passed and left, the finished runs, and the current run. */
  line(): string {
    const passed = `[${clock(this.#now() - this.#startedAtMs)}`;
    if (this.#totalRuns === 0) return `${passed}] ${this.#current}`;
    if (this.#request?.command === 'bisect') {
      return `${passed}] step ${this.#steps + 1}, ${this.#finishedRuns} runs: ${this.#current}`;
    }
    if (this.#toDecide > 0) {
      const left =
        this.#endMs === undefined ? '' : `, about ${clock(Math.max(0, this.#endMs - this.#now()))} left`;
      const what = this.#others > 0 ? 'comparisons' : 'configurations';
      const differing = this.#others > 0 ? `, ${this.#differing} differ` : '';
      return `${passed}${left}] ${this.#decided} of ${this.#toDecide} ${what} decided${differing}, ${this.#finishedRuns} runs: ${this.#current}`;
    }
    const left = this.#measuredRuns === 0 ? '' : `, ${clock(this.leftMs())} left`;
    const percent = Math.floor((this.#finishedRuns / this.#totalRuns) * 100);
    return `${passed}${left}] ${percent} % ${this.#finishedRuns}/${this.#totalRuns} runs: ${this.#current}`;
  }

  summary(): string {
    return `finished: ${this.#finishedRuns} runs in ${clock(this.#now() - this.#startedAtMs)}`;
  }

  /** Milliseconds for the remaining runs at the mean duration so far; 0 before the first run. */
  leftMs(): number {
    if (this.#measuredRuns === 0) return 0;
    const jobs = this.#request?.settings.jobs?.length ?? 1;
    return ((this.#totalRuns - this.#finishedRuns) * this.#measuredMs) / this.#measuredRuns / jobs;
  }

  get #others(): number {
    return (this.#request?.subjects.length ?? 1) - 1;
  }
}

/** `04:31`, or `1:04:31` from one hour on. */
function clock(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}:${rest}`;
}
