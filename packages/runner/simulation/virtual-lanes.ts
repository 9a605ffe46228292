import type { Case } from '@bench-cli/results';
import { drawnOrder } from '@bench-cli/results/recording';
import { caseDealer, type Lane, onLanes } from '../src/execution/lane.ts';

/** A case whose rounds always take the same time. */
export interface TimedCase {
  /** Milliseconds of the runs of one round, of all subjects together. */
  readonly roundMs: number;
  /** How many rounds it takes until it is decided. */
  readonly rounds: number;
}

/** What a session takes on a number of lanes. */
export interface VirtualSession {
  readonly durationMs: number;
  /** No number of lanes can be faster: the longest time of one case, whose runs are one after the other. */
  readonly longestCaseMs: number;
  /** All lanes busy all the time. */
  readonly evenMs: number;
}

/** Time that passes only when all lanes wait. */
class VirtualClock {
  nowMs = 0;
  readonly #waiting: { readonly atMs: number; readonly wake: () => void }[] = [];
  #isTicking = false;

  async wait(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ atMs: this.nowMs + durationMs, wake: resolve });
    if (!this.#isTicking) {
      this.#isTicking = true;
      setImmediate(() => this.#tick());
    }
    await promise;
  }

  #tick(): void {
    this.#waiting.sort((a, b) => a.atMs - b.atMs);
    const next = this.#waiting.shift();
    this.#isTicking = this.#waiting.length > 0;
    if (next === undefined) return;
    this.nowMs = next.atMs;
    next.wake();
    if (this.#isTicking) setImmediate(() => this.#tick());
  }
}

/**
 * Executes a session in virtual time by the code that deals cases to lanes.
 * @param isAdaptive whether all lanes wait for the end of each round, as with `--runs auto`
 */
export async function simulateLanes(
  timed: readonly TimedCase[],
  count: number,
  isAdaptive: boolean,
): Promise<VirtualSession> {
  const clock = new VirtualClock();
  const lanes = Array.from({ length: count }, (_, index) => ({ index, cpus: String(index) }));
  const cases: readonly Case[] = timed.map((_, index) => ({ benchmark: 'b', configuration: { index } }));
  const timedOf = ({ configuration }: Case) =>
    timed[Number(configuration['index'])] ?? { roundMs: 0, rounds: 0 };
  const most = Math.max(...timed.map(({ rounds }) => rounds));
  const dealer = caseDealer(() => undefined);
  const work = async (due: Iterable<Case>) => {
    for (const each of due) await clock.wait(timedOf(each).roundMs);
  };
  const drawnIn = (round: number) => {
    const open = cases.filter((each) => timedOf(each).rounds > round);
    return drawnOrder(open, 1, () => round);
  };
  function* allRounds(lane: Pick<Lane, 'index'>): Generator<Case> {
    for (let round = 0; round < most; round++) yield* dealer.casesOf(lane, drawnIn(round));
  }
  const inTurns = (dueOn: (lane: Pick<Lane, 'index'>) => Iterable<Case>) =>
    onLanes({ lanes, signal: new AbortController().signal }, (lane) => work(dueOn(lane)));
  if (isAdaptive) {
    for (let round = 0; round < most; round++) {
      const waiting = new Set(drawnIn(round));
      await inTurns((lane) => dealer.takeFrom(lane, waiting));
    }
  } else await inTurns(allRounds);
  const totals = timed.map(({ roundMs, rounds }) => roundMs * rounds);
  return {
    durationMs: clock.nowMs,
    longestCaseMs: Math.max(...totals),
    evenMs: totals.reduce((sum, total) => sum + total, 0) / count,
  };
}
