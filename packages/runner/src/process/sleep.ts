import { readProcFile } from '@bench-cli/system';

/** Between two looks at the clock, milliseconds. */
const intervalMs = 100;
/**
 * Milliseconds that a timer can be late although the process neither ran nor waited for a CPU: it waits for
 * its own garbage collector, and for disks.
 */
const toleranceMs = 400;

interface Clocks {
  readonly wallMs: () => number;
  /** How long it ran, or waited for a CPU. */
  readonly busyMs: () => number;
}

const ownClocks: Clocks = {
  wallMs: () => performance.now(),
  busyMs: () => {
    const [ranNs = '', waitedNs = ''] = readProcFile(process.pid, 'schedstat').split(' ');
    if (waitedNs !== '') return (Number(ranNs) + Number(waitedNs)) / 1e6;
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Notices for how long this process did not run: it was stopped (SIGSTOP, Ctrl-Z), or its container or
 * machine stood still. Its timers are late then, and the times that it takes too long. On a loaded machine,
 * timers are late too, but the process waits for a CPU, which Linux counts.
 */
export class Sleep {
  readonly #clocks: Clocks;
  #last: { readonly wallMs: number; readonly busyMs: number };
  #sleptMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #watches = 0;

  constructor(clocks: Clocks = ownClocks) {
    this.#clocks = clocks;
    this.#last = this.#now();
  }

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

  /** How long this process has slept while it was watched, milliseconds, within about a tenth of a second. */
  get sleptMs(): number {
    this.#look();
    return this.#sleptMs;
  }

  /** @param isCertain whether it was stopped, however short */
  #look(isCertain = false): void {
    const now = this.#now();
    const passedMs = now.wallMs - this.#last.wallMs;
    const idleMs = passedMs - (now.busyMs - this.#last.busyMs);
    this.#last = now;
    const isLate = idleMs > intervalMs + toleranceMs;
    if (isLate || isCertain) this.#sleptMs += passedMs;
  }

  readonly #continued = (): void => this.#look(true);

  #now() {
    return { wallMs: this.#clocks.wallMs(), busyMs: this.#clocks.busyMs() };
  }
}
