import { caseKey } from '@bench-cli/results';
import type { RunRecord } from '@bench-cli/results/recording';
import type { ScheduledRun } from '../plan/schedule.ts';
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
      else if (!(await this.#executeInTurns(left, inTurns, open, take)))
        await executeRuns(left, executor, this.#givenUp, open, take);
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
    const former = round.map((run) => open.recorded('look', run));
    const rates = round.flatMap((run) => open.recorded('rate', run) ?? []);
    const looks: { readonly run: ScheduledRun; readonly records: readonly RunRecord[] }[] = [];
    for (const [at, run] of round.entries()) {
      // A case with rates but no looks does not take turns.
      if (former[at] === undefined && rates.length > 0) continue;
      looks.push({ run, records: former[at] ?? (await lookAt(run, turns, open)) });
    }
    const fits =
      rates.every(({ inTurns }) => inTurns) &&
      looks.every(({ records }) => records.every((record) => isBusy(record)));
    this.#inTurns.set(key, fits);
    const left = new Set(round);
    for (const { run, records } of looks) {
      const resumed = former.includes(records);
      // Its samples are shorter than those of a pilot.
      const isShort = records.every((record) => record.status === 'ok' && record.sampling !== undefined);
      const kind = resumed || fits || isShort ? 'look' : 'rate';
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

  /** @returns whether they could: if processes that succeed alone fail at the same time, the case runs one after the other from now on */
  async #executeInTurns(
    round: readonly ScheduledRun[],
    turns: TurnsExecutor,
    open: RunningSession,
    take?: Take,
  ): Promise<boolean> {
    const due = round
      .filter((run) => !this.#givenUp.has(run, run.subject))
      .map((run) => (run.order === 'pilot' ? { ...run, order: 'pilot in turns' as const } : run));
    for (const run of round) if (this.#givenUp.has(run, run.subject)) await open.emit({ type: 'skip', run });
    const formerOf = (run: ScheduledRun) => open.recorded('rate', run);
    // A run that was interrupted before its record has a partner again, whose rate is recorded already.
    const isRecorded = due.every((run) => formerOf(run) !== undefined);
    for (const run of due) if (formerOf(run) === undefined) await open.emit({ type: 'start', run });
    const results = isRecorded ? [] : await turns.execute(due, open.signal);
    const failure = await this.#conflict(due, results, turns, open);
    if (failure !== undefined) {
      const [first] = due;
      if (first !== undefined) this.#inTurns.set(caseKey(first), false);
      const message = `${first?.benchmark}: its processes fail if two of them run at the same time (${failure}), so they run one after the other, and not in turns`;
      await open.emit({ type: 'warning', message });
      return false;
    }
    for (const [at, run] of due.entries()) {
      const former = formerOf(run);
      const records = await emitRun(run, former ?? results[at] ?? [], former !== undefined, open);
      await takeRun(run, records, this.#givenUp, open, take);
    }
    return true;
  }

  /** Why processes of the first round in turns fail, twice: a port or a file can be for one at a time. One failure can be that of the code. */
  async #conflict(
    due: readonly ScheduledRun[],
    results: readonly (readonly RunRecord[])[],
    turns: TurnsExecutor,
    { recorded, signal }: RunningSession,
  ): Promise<string | undefined> {
    const isFirst = due.every((run) => run.round === 0 && recorded('rate', run) === undefined);
    if (!isFirst || failureIn(results) === undefined) return undefined;
    return failureIn(await turns.execute(due, signal));
  }
}

function failureIn(results: readonly (readonly RunRecord[])[]): string | undefined {
  return results.flat().flatMap((record) => (record.status === 'failed' ? record.failure.message : []))[0];
}

/** A second look if the first one does not tell for certain. */
async function lookAt(
  run: ScheduledRun,
  turns: TurnsExecutor,
  { emit, signal }: RunningSession,
): Promise<readonly RunRecord[]> {
  const short = run.order === 'pilot' ? { ...run, order: shortLook } : run;
  await emit({ type: 'start', run });
  const records = await turns.look(short, signal);
  const isClear = records.every((record) => isBusy(record) || !isBusy(record, nearlyBusy));
  return isClear ? records : turns.look(short, signal);
}

/** Load tools are stopped with their benchmark, but measure the time that passes. */
function isBusy(record: RunRecord, least = leastBusy): boolean {
  const { activity } = record;
  if (record.status === 'failed' || record.load !== undefined || activity === undefined) return false;
  return activity.busy >= least && activity.heapBytes <= mostHeapBytes;
}
