import { randomInt } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { allowedCpus, platform, readCpuSet, readProcFile } from '@bench-cli/system';
import { canBind } from '../machine/guarantees.ts';

/** The length of a slice is drawn, so that no rhythm of a benchmark fits it, milliseconds. */
const shortestSliceMs = 8;
export const longestSliceMs = 12;
/** Long slices are so many times as long: what processes take from each other's caches counts less. */
const longSlice = 5;
/** The shortest stop of a process, milliseconds, which it need not ask about between two clock readings. */
const shortestStopMs = 6;

/**
 * The CPU for processes in turns: one for all, because each CPU has its own speed and caches. It is the last
 * one, as the first ones handle most interrupts.
 * @param cpuSet the CPUs that they may use; default: those of this process
 * @returns undefined if processes cannot be stopped here, or not be bound to a CPU
 */
export function turnsCpu(cpuSet: string | undefined): string | undefined {
  if (platform.signalGroup === undefined || !canBind()) return undefined;
  const cpus = (cpuSet === undefined ? undefined : readCpuSet(cpuSet)) ?? allowedCpus();
  return cpus.size === 0 ? undefined : String(Math.max(...cpus));
}

export type Slices = 'short' | 'long';

/**
 * The processes of one round. One runs while the others are stopped, so all meet the same moments of the
 * machine. They wait from their start until all have been started. When one has ended, the others go on.
 *
 * Source: A. Abedi and T. Brecht, "Conducting repeatable experiments in highly variable cloud computing
 * environments", ICPE 2017 (interleaved trials); L. Bulej and others, "Duet benchmarking: improving
 * measurement accuracy in the cloud", ICPE 2020 (both at the same time).
 */
export class Turns {
  /** In the order of their turns. The first one runs. */
  #waiting: Turn[] = [];
  readonly size: number;
  readonly #sliceFactor: number;
  #begun = 0;
  #sliceTimer: NodeJS.Timeout | undefined;

  constructor(size: number, slices: Slices = 'short') {
    this.size = size;
    this.#sliceFactor = slices === 'long' ? longSlice : 1;
  }

  add(turn: Turn, groupId: number): void {
    turn.begin(groupId);
    this.#waiting.push(turn);
    this.began();
  }

  /** Counts a process that was started, or could not be. */
  began(): void {
    this.#begun++;
    if (this.#begun === this.size) this.#next();
  }

  end(turn: Turn): void {
    const wasRunning = this.#waiting[0] === turn;
    this.#waiting = this.#waiting.filter((each) => each !== turn);
    turn.close();
    if (wasRunning && this.#begun >= this.size) this.#next();
  }

  /** Continues the first process after a long enough stop, and takes the next turn after its slice. */
  #next(): void {
    clearTimeout(this.#sliceTimer);
    const [turn] = this.#waiting;
    if (turn === undefined) return;
    const restMs = shortestStopMs - turn.stoppedForMs;
    if (restMs > 0) {
      this.#sliceTimer = setTimeout(() => this.#next(), Math.ceil(restMs));
      return;
    }
    turn.continue();
    const { length } = this.#waiting;
    if (length === 1) return;
    this.#sliceTimer = setTimeout(
      () => {
        turn.stop();
        this.#waiting = [...this.#waiting.slice(1), turn];
        this.#next();
      },
      this.#sliceFactor * randomInt(shortestSliceMs, longestSliceMs + 1),
    );
  }
}

/** How long the main thread of a process has run, nanoseconds; 0 if it has ended. */
const ranNsOf = (pid: number) => Number(readProcFile(pid, 'schedstat').split(' ')[0] ?? 0);

/** Whether the main thread of a process runs, sleeps or waits for a CPU, and is not stopped. */
const isRunnable = (pid: number) => /^State:\s*[RSD]/m.test(readProcFile(pid, 'status'));

export class Turn {
  #groupId = 0;
  readonly #file: number;
  #stoppedAtNs: bigint | undefined;
  #stoppedNs = 0n;
  /** How often it was to be continued, and how often it was not stopped then and had run meanwhile. */
  #stops = 0;
  #notStopped = 0;
  /** How often it was stopped then: a process notices a signal only with a CPU. */
  #noticed = 0;
  /** How long its main thread had run when it was last stopped, nanoseconds. */
  #ranNs = 0;

  /** @param file where the process reads for how long it was stopped, nanoseconds, and how often */
  constructor(file: string) {
    this.#file = openSync(file, 'w');
    this.#write();
  }

  begin(groupId: number): void {
    this.#groupId = groupId;
    this.stop();
  }

  /** How long it has been stopped in all, milliseconds. */
  get stoppedMs(): number {
    return Number(this.#stoppedNs) / 1e6;
  }

  /**
   * Whether something else continued the process in the turns of others, whose rates it then disturbed. On a
   * busy machine, a process notices a signal only with a CPU: one that is not stopped may not have run.
   */
  get ranWhileStopped(): boolean {
    return this.#notStopped >= 3 && this.#notStopped > this.#stops / 4;
  }

  get stoppedForMs(): number {
    return this.#stoppedAtNs === undefined ? 0 : Number(process.hrtime.bigint() - this.#stoppedAtNs) / 1e6;
  }

  stop(): void {
    this.#stoppedAtNs = process.hrtime.bigint();
    platform.signalGroup?.(this.#groupId, 'SIGSTOP');
    this.#ranNs = ranNsOf(this.#groupId);
  }

  /** The process reads the time while it runs, and it is written while it is stopped. */
  continue(): void {
    if (this.#stoppedAtNs === undefined) return;
    const leastNs = Number(process.hrtime.bigint() - this.#stoppedAtNs) / 8;
    this.#stops++;
    if (!isRunnable(this.#groupId)) this.#noticed++;
    else if (ranNsOf(this.#groupId) - this.#ranNs > leastNs) this.#notStopped++;
    this.#stoppedNs += process.hrtime.bigint() - this.#stoppedAtNs;
    this.#stoppedAtNs = undefined;
    this.#write();
    platform.signalGroup?.(this.#groupId, 'SIGCONT');
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(): void {
    const bytes = Buffer.alloc(16);
    bytes.writeBigUInt64LE(this.#stoppedNs);
    bytes.writeBigUInt64LE(BigInt(this.#noticed), 8);
    writeSync(this.#file, bytes, 0, bytes.length, 0);
  }
}
