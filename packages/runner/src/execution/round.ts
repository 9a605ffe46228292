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
/** How a look samples whose case is to be planned: as the shortest plan does. */
const shortLook = { warmUpMs: 100, measuredMs: 50 };

interface Planning {
  /** Decides how the runs of a round sample, by all records so far. */
  readonly planned?: (round: readonly ScheduledRun[]) => readonly ScheduledRun[];
  readonly take?: Take;
}

/**
 * Executes rounds of cases: the processes of a round in turns (`Turns`) if the code of the case keeps a CPU busy, and otherwise one after the
 * other. The first round of a case shows which: its runs go one after the other, and do not count if the case then takes turns, or if they were
 * shorter than a pilot.
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
      else await this.#executeInTurns(left, inTurns, open, take);
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
    // Then a run without a look has shown that the case does not take turns.
    const isBegun = looked.some((run) => open.recorded('rate', run) !== undefined || run.round > 0);
    const former = looked.map((run) => open.recorded('look', run));
    const due = isBegun ? [] : looked.filter((_, at) => former[at] === undefined);
    const found = new Map(await lookAt(due, turns, open));
    const looks = looked.flatMap((run, at) => {
      const records = former[at] ?? found.get(run);
      return records === undefined ? [] : [{ run, records, resumed: former[at] !== undefined }];
    });
    const fits =
      looks.length === looked.length &&
      looks.every(({ records }) => records.every((record) => isBusy(record)));
    this.#inTurns.set(key, fits);
    const left = new Set(round);
    for (const { run, records, resumed } of looks) {
      const isPilotDue = run.order === 'pilot' && records.every(({ status }) => status === 'ok');
      const kind = resumed || fits || isPilotDue ? 'look' : 'rate';
      const emitted = await emitRun(
        run,
        records.map((record) => ({ ...record, kind })),
        resumed,
        open,
      );
      if (kind === 'look') take?.(emitted, false);
      else {
        left.delete(run);
        await takeRun(run, emitted, this.#givenUp, open, take);
      }
    }
    return [...left];
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

/**
 * Looks at the runs of a case: side by side if they do not count in any case. There is a second look if the first one does not tell for certain.
 * @returns the records of each run
 */
async function lookAt(
  due: readonly ScheduledRun[],
  turns: TurnsExecutor,
  { emit, signal }: RunningSession,
): Promise<readonly (readonly [ScheduledRun, readonly RunRecord[]])[]> {
  const look = async (run: ScheduledRun) => {
    const short = run.order === 'pilot' ? { ...run, order: shortLook } : run;
    await emit({ type: 'start', run });
    const records = await turns.look(short, signal);
    const isClear = records.every((record) => isBusy(record) || !isBusy(record, nearlyBusy));
    return [run, isClear ? records : await turns.look(short, signal)] as const;
  };
  if (due.every(({ order }) => order === 'pilot')) return Promise.all(due.map(look));
  const looks: Awaited<ReturnType<typeof look>>[] = [];
  for (const run of due) looks.push(await look(run));
  return looks;
}

function isBusy({ status, activity }: RunRecord, least = leastBusy): boolean {
  return (
    status === 'ok' && activity !== undefined && activity.busy >= least && activity.heapBytes <= mostHeapBytes
  );
}
