import { caseKey } from '@bench-cli/results';
import type { RunRecord } from '@bench-cli/results/recording';
import { recordKind, type ScheduledRun } from '../plan/schedule.ts';
import {
  type Executor,
  emitRun,
  executeRuns,
  type RunningSession,
  type Take,
  type TurnsExecutor,
  takeRun,
} from './executor.ts';
import type { GivenUp } from './given-up.ts';

/** A process whose main thread is idle for a larger share of its time measures waiting, which goes on while it is stopped. */
const leastBusy = 0.9;
/** A moment without a CPU, which a virtual machine can have, makes a busy process idle for such a share: a second look tells. */
const nearlyBusy = 0.6;
/** The times of processes with larger heaps differ by their garbage collections, which turns do not make alike. */
const mostHeapBytes = 64 << 20;

interface Planning {
  /** Decides how the runs of a round sample, by all records so far. */
  readonly planned?: (round: readonly ScheduledRun[]) => readonly ScheduledRun[];
  readonly take?: Take;
}

/**
 * Executes rounds of cases: the processes of a round in turns (`Turns`) if the code of the case keeps a CPU busy, and otherwise one after the
 * other. The first round of a case shows which: its runs go one after the other, and do not count if the case then takes turns.
 */
export class Rounds {
  /** Whether the rounds of a case run in turns, by its key. */
  readonly #inTurns = new Map<string, boolean>();
  readonly #givenUp: GivenUp;

  constructor(givenUp: GivenUp) {
    this.#givenUp = givenUp;
  }

  async execute(
    rounds: Iterable<readonly ScheduledRun[]>,
    executor: Executor,
    open: RunningSession,
    { planned = (round) => round, take }: Planning = {},
  ): Promise<void> {
    for (const each of rounds) {
      const [first] = each;
      if (first === undefined) continue;
      const round = planned(each);
      const turns = round.length < 2 ? undefined : executor.turns?.(round);
      const left = turns === undefined ? round : await this.#look(caseKey(first), round, turns, open, take);
      const inTurns = this.#inTurns.get(caseKey(first)) ? turns : undefined;
      if (inTurns === undefined) await executeRuns(left, executor, this.#givenUp, open, take);
      // A look is a pilot, too.
      else await this.#executeInTurns(planned(left), inTurns, open, take);
    }
  }

  /**
   * Decides by the first round of a case whether it runs in turns.
   * @returns the runs of the round that are still to be executed
   */
  async #look(
    key: string,
    round: readonly ScheduledRun[],
    turns: TurnsExecutor,
    open: RunningSession,
    take?: Take,
  ): Promise<readonly ScheduledRun[]> {
    if (this.#inTurns.has(key)) return round;
    const looked = round.filter(({ isControl }) => !isControl);
    const former = looked.flatMap((run) => open.recorded('look', run) ?? []);
    if (
      former.length > 0 ||
      looked.some((run) => open.recorded('rate', run) !== undefined || run.round > 0)
    ) {
      this.#inTurns.set(key, former.length > 0);
      for (const run of looked) {
        const records = open.recorded('look', run);
        if (records !== undefined) take?.(await emitRun(run, records, true, open), false);
      }
      return round;
    }
    const results: { readonly run: ScheduledRun; readonly records: readonly RunRecord[] }[] = [];
    for (const run of looked) {
      await open.emit({ type: 'start', run });
      const records = await turns.look(run, open.signal);
      const isClear = records.every((record) => isBusy(record) || !isBusy(record, nearlyBusy));
      results.push({ run, records: isClear ? records : await turns.look(run, open.signal) });
    }
    const fits = results.every(({ records }) => records.every((record) => isBusy(record)));
    this.#inTurns.set(key, fits);
    for (const { run, records } of results) {
      const kind = fits ? 'look' : 'rate';
      const emitted = await emitRun(
        run,
        records.map((record) => ({ ...record, kind })),
        false,
        open,
      );
      if (fits) take?.(emitted, false);
      else await takeRun(run, emitted, this.#givenUp, open, take);
    }
    return fits ? round : round.filter(({ isControl }) => isControl);
  }

  async #executeInTurns(
    round: readonly ScheduledRun[],
    turns: TurnsExecutor,
    open: RunningSession,
    take?: Take,
  ): Promise<void> {
    const due = round.filter((run) => !this.#givenUp.has(run, run.subject));
    for (const run of round) if (!due.includes(run)) await open.emit({ type: 'skip', run });
    const formerOf = (run: ScheduledRun) => open.recorded(recordKind(run), run);
    // A run that was interrupted before its record has a partner again, whose rate is recorded already.
    const isRecorded = due.every((run) => formerOf(run) !== undefined);
    for (const run of due) if (formerOf(run) === undefined) await open.emit({ type: 'start', run });
    const results = isRecorded ? [] : await turns.execute(due, open.signal);
    for (const [at, run] of due.entries()) {
      const former = formerOf(run);
      const records = await emitRun(run, former ?? results[at] ?? [], former !== undefined, open);
      await takeRun(run, records, this.#givenUp, open, take);
    }
  }
}

function isBusy({ status, activity }: RunRecord, least = leastBusy): boolean {
  return (
    status === 'ok' && activity !== undefined && activity.busy >= least && activity.heapBytes <= mostHeapBytes
  );
}
