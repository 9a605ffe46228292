/** Between two looks at the clock, milliseconds. */
const intervalMs = 1000;
/** A timer can be this late although the process runs, milliseconds. */
const toleranceMs = 500;

/** The clocks of this process, milliseconds. */
interface Clocks {
  readonly wallMs: () => number;
  /** CPU time. */
  readonly ranMs: () => number;
}

const ownClocks: Clocks = {
  wallMs: () => performance.now(),
  ranMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Notices for how long this process did not run: because it was stopped (SIGSTOP, Ctrl-Z), or its container or machine stood still. Its
 * timers are late then, and so are the times that it takes.
 */
export class Sleep {
  readonly #clocks: Clocks;
  #last: { readonly wallMs: number; readonly ranMs: number };
  #sleptMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #watches = 0;

  constructor(clocks: Clocks = ownClocks) {
    this.#clocks = clocks;
    this.#last = this.#now();
  }

  /** Watches until the returned function is called. */
  watch(): () => void {
    this.#watches += 1;
    if (this.#watches === 1) {
      this.#last = this.#now();
      this.#timer = setInterval(() => this.#look(), intervalMs).unref();
      process.on('SIGCONT', this.#continued);
    }
    return () => {
      this.#watches -= 1;
      if (this.#watches > 0) return;
      clearInterval(this.#timer);
      process.off('SIGCONT', this.#continued);
    };
  }

  /** How long this process has slept while it was watched, milliseconds, within about a second. */
  get sleptMs(): number {
    this.#look();
    return this.#sleptMs;
  }

  /** @param isCertain whether it was stopped, however short */
  #look(isCertain = false): void {
    const now = this.#now();
    const passedMs = now.wallMs - this.#last.wallMs;
    const ranMs = now.ranMs - this.#last.ranMs;
    this.#last = now;
    // Work of its own makes timers late, too.
    const isLate = passedMs > intervalMs + toleranceMs && ranMs < passedMs / 2;
    if (isLate || isCertain) this.#sleptMs += passedMs;
  }

  readonly #continued = (): void => this.#look(true);

  #now() {
    return { wallMs: this.#clocks.wallMs(), ranMs: this.#clocks.ranMs() };
  }
}
