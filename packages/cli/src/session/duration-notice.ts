import { counted } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';

/** Longer sessions are announced. */
const LONG_MS = 600_000;

/** What is measured before the duration is estimated from it, unless the first round ends earlier. */
const ENOUGH_MS = 10_000;

/**
 * Says once, as early as it is known, that a session takes long, and what makes it shorter: before the first run from the
 * time that processes took to plan, which is less than runs take, else from the first runs.
 */
export class DurationNotice {
  readonly #now: () => number;
  readonly #startedAtMs: number;
  #request: SessionRequest | undefined;
  #plannedProcesses = 0;
  #totalRuns = 0;
  #runs = 0;
  #runsMs = 0;
  #isDone = false;

  /** @param now a clock, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#startedAtMs = now();
  }

  /** @returns what to say after an event */
  after(event: SessionEvent): string | undefined {
    if (this.#isDone) return undefined;
    switch (event.type) {
      case 'session':
        this.#request = event.session.request;
        return undefined;
      case 'planning':
        this.#plannedProcesses += this.#request?.subjects.length ?? 1;
        return undefined;
      case 'planned': {
        this.#totalRuns = event.totalRuns;
        const processMs = (this.#now() - this.#startedAtMs) / Math.max(1, this.#plannedProcesses);
        return this.#say(
          'at least',
          (event.totalRuns * processMs) / this.#jobs,
          'from the time of starting a process',
        );
      }
      case 'run': {
        if (event.resumed || event.record.kind !== 'rate') return undefined;
        const isEnough = event.record.round > 0 || this.#runsMs >= ENOUGH_MS;
        if (isEnough && this.#runs > 0) {
          const estimateMs = (this.#totalRuns * this.#runsMs) / this.#runs / this.#jobs;
          const notice = this.#say('about', estimateMs, `from the first ${counted(this.#runs, 'run')}`);
          this.#isDone = true;
          return notice;
        }
        this.#runs++;
        this.#runsMs += event.record.durationMs;
        return undefined;
      }
      default:
        return undefined;
    }
  }

  /** How many configurations are measured at the same time. */
  get #jobs(): number {
    return this.#request?.settings.jobs?.length ?? 1;
  }

  #say(how: 'at least' | 'about', durationMs: number, basis: string): string | undefined {
    const { runs } = this.#request ?? {};
    if (runs === undefined) return undefined;
    // Adaptive runs usually end long before their maximum.
    if (typeof runs !== 'number' && how === 'at least') return undefined;
    const limitMs = typeof runs === 'number' ? undefined : runs.budgetMs;
    if (Math.min(durationMs, limitMs ?? durationMs) < LONG_MS) return undefined;
    this.#isDone = true;
    const much = typeof runs === 'number' ? how : 'at most about';
    const total = `${this.#totalRuns.toLocaleString('en')} runs`;
    return `this takes ${much} ${hoursAndMinutes(Math.min(durationMs, limitMs ?? durationMs))} for ${total} (estimated ${basis}); ${adviceFor(runs)}`;
  }
}

function adviceFor(runs: SessionRequest['runs']): string {
  const fewer = '--filter or --set select fewer configurations, and --shard spreads them over machines';
  if (typeof runs !== 'number') return `--budget 10m limits it; ${fewer}`;
  return `--runs auto stops each configuration when its result is clear, --runs auto --budget 10m also at a time limit; ${fewer}`;
}

/** `58 min`, or `1 h 12 min` from one hour on. */
function hoursAndMinutes(durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
