import { type Case, caseKey } from '@bench-cli/results';
import type { Supervisor } from '../process/supervisor.ts';

/** Executes runs one after the other. With `--jobs`, several lanes work at the same time. */
export interface Lane {
  /** Counts from 0. */
  readonly index: number;
  /** As `taskset -c` takes them; undefined for the only lane, whose processes use the CPUs of CPUSET. */
  readonly cpus: string | undefined;
  readonly supervisor: Supervisor;
  /** Variables of the processes, in addition to the variables of the subject. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Deals cases to lanes. The first lane that is free takes a case, and keeps it.
 * @param former the lane of a case before the session was interrupted
 */
export function caseDealer(former: (each: Case) => number | undefined) {
  const lanes = new Map<string, number>();
  /** Cases without a lane become those of the lane that comes to them. */
  const isOf = (index: number, each: Case) => (lanes.get(caseKey(each)) ?? former(each) ?? index) === index;
  return {
    /** The cases of a lane, in their order. */
    *casesOf({ index }: Pick<Lane, 'index'>, cases: Iterable<Case>): Generator<Case> {
      for (const each of cases) {
        if (!isOf(index, each)) continue;
        lanes.set(caseKey(each), index);
        yield each;
      }
    },

    /**
     * The cases that a lane executes in a round. After its own ones it takes over those for which other lanes
     * have had no time, so that no lane waits while others have cases left.
     * @param waiting the cases of the round that no lane has begun, which all lanes share
     * @param isBegun whether a case has runs of this round from before an interruption, so that it stays on
     * its lane
     */
    *takeFrom(
      { index }: Pick<Lane, 'index'>,
      waiting: Set<Case>,
      isBegun: (each: Case) => boolean = () => false,
    ): Generator<Case> {
      while (waiting.size > 0) {
        const kept = waiting.values().find((each) => isOf(index, each));
        const next = kept ?? waiting.values().find((each) => !isBegun(each));
        if (next === undefined) return;
        waiting.delete(next);
        lanes.set(caseKey(next), index);
        yield next;
      }
    },
  };
}

/** Works on all lanes at the same time. If one fails, the processes of the others are killed first. */
export async function onLanes<
  Open extends { readonly lanes: readonly unknown[]; readonly signal: AbortSignal },
>(open: Open, work: (lane: Open['lanes'][number], open: Open) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([open.signal, stop.signal]);
  const all = open.lanes.map((lane) => work(lane, { ...open, signal }));
  try {
    await Promise.all(all);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(all);
    throw error;
  }
}
