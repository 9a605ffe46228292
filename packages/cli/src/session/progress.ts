import { argumentsOf } from '@bench-cli/results';
import type { ScheduledRun, SessionEvent } from '@bench-cli/runner';

/** How far a session is, and how long it will take, told from its events. */
export class Progress {
  readonly #now: () => number;
  readonly #startedAtMs: number;
  #totalRuns = 0;
  #finishedRuns = 0;
  #measuredRuns = 0;
  #measuredMs = 0;
  #adaptive = false;
  #decided = 0;
  /** Configurations of an adaptive session, whose number of runs is not known. */
  #toDecide = 0;
  #current = '';

  /** @param now a clock, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#startedAtMs = now();
  }

  /** Takes note of an event. */
  update(event: SessionEvent): void {
    switch (event.type) {
      case 'session':
        this.#adaptive = typeof event.session.request.runs !== 'number';
        return;
      case 'planning':
        this.#current = `planning ${event.index + 1}/${event.count}: ${event.benchmark}`;
        return;
      case 'planned':
        this.#totalRuns = event.totalRuns;
        this.#toDecide = this.#adaptive
          ? event.benchmarks.reduce((sum, each) => sum + each.configurations, 0)
          : 0;
        return;
      case 'calibrating':
        this.#current = `finding n of ${event.benchmark}`;
        return;
      case 'start':
        this.#current = nameOf(event.run);
        return;
      case 'run':
        this.#finishedRuns++;
        if (event.resumed) return;
        this.#measuredRuns++;
        this.#measuredMs += event.record.durationMs;
        return;
      case 'decision':
        this.#decided++;
        return;
      case 'skip':
        this.#totalRuns--;
    }
  }

  /** One line: the time passed and left, runs done, and what runs now. */
  line(): string {
    const passed = `[${clock(this.#now() - this.#startedAtMs)}`;
    if (this.#totalRuns === 0) return `${passed}] ${this.#current}`;
    if (this.#adaptive) {
      return `${passed}] ${this.#decided}/${this.#toDecide} configurations decided, ${this.#finishedRuns} runs: ${this.#current}`;
    }
    const left = this.#measuredRuns === 0 ? '' : `, ${clock(this.leftMs())} left`;
    const percent = Math.floor((this.#finishedRuns / this.#totalRuns) * 100);
    return `${passed}${left}] ${percent} % ${this.#finishedRuns}/${this.#totalRuns} runs: ${this.#current}`;
  }

  /** Milliseconds that the remaining runs will take if they are like the former ones; 0 before the first. */
  leftMs(): number {
    if (this.#measuredRuns === 0) return 0;
    return ((this.#totalRuns - this.#finishedRuns) * this.#measuredMs) / this.#measuredRuns;
  }
}

function nameOf({ benchmark, configuration, subject }: ScheduledRun): string {
  return [benchmark, ...argumentsOf(configuration), `(${subject})`].join(' ');
}

/** Hours only where there are some: `04:31`, `1:04:31`. */
function clock(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}:${rest}`;
}
