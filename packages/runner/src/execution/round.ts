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

/** A less busy main thread waits for work that goes on while its process is stopped. */
const leastBusy = 0.9;
/** A process that is busy for this share may have lacked a CPU for a moment. A second look decides. */
const nearlyBusy = 0.6;
/** Processes with larger heaps differ by their garbage collections, which turns do not make alike. */
const mostHeapBytes = 64 << 20;
/** Threads share one CPU in turns. Threads with a larger share of the time slow their process down. */
const mostOfThreads = 0.05;
/** The clocks of processes in turns cost more. With more readings, this is a part of what is measured. */
const mostClockCallsPerMs = 100;
/** Code in turns is hardly faster than in a look, even if the look was short or met a slow moment. */
const mostGain = 1.3;
/** How a look samples whose case is to be planned: as the shortest plan does. */
const shortLook = { warmUpMs: 100, measuredMs: 50 };

interface Planning {
  /** Decides how the runs of a round sample, by all records so far. */
  readonly planned?: (round: readonly ScheduledRun[]) => readonly ScheduledRun[];
  readonly take?: Take;
}

/**
 * Executes rounds of cases: the processes of a round in turns (`Turns`) if the code of the case keeps a CPU
 * busy, and otherwise one after the other. The first round of a case shows which: its runs go one after the
 * other, and do not count if the case then takes turns, or if they were shorter than a pilot.
 */
export class Rounds {
  /** Whether the rounds of a case run in turns, by its key. */
  readonly #inTurns = new Map<string, boolean>();
  readonly #givenUp: GivenUp;
  /** The benchmarks of which it was said why rounds run one after the other. */
  readonly #explained = new Set<string>();
  /** The rates of looks, by case and subject. */
  readonly #lookRates = new Map<string, number>();

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
      if (inTurns === undefined || !(await this.#executeInTurns(left, inTurns, open, take)))
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
      looks.every(({ records }) => records.every((record) => obstacleIn(record) === undefined));
    this.#inTurns.set(key, fits);
    const left = new Set(round);
    for (const { run, records } of looks) {
      for (const rate of rateOf(records)) this.#lookRates.set(sideOf(run), rate);
      const obstacle = records.map((record) => obstacleIn(record)).find((text) => text);
      if (obstacle !== undefined) await this.#explain(run, obstacle, open);
      const resumed = former.includes(records);
      // Its samples are shorter than those of a pilot.
      const isShort = records.every((record) => record.status === 'ok' && record.sampling !== undefined);
      const kind = resumed || fits || isShort || records.some(isSlowed) ? 'look' : 'rate';
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

  /** @returns false if processes that succeed alone fail at the same time: the case leaves turns */
  async #executeInTurns(
    round: readonly ScheduledRun[],
    turns: TurnsExecutor,
    open: RunningSession,
    take?: Take,
  ): Promise<boolean> {
    const due = round.filter((run) => !this.#givenUp.has(run, run.subject));
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
      if (first !== undefined)
        await this.#explain(
          first,
          `its processes fail if two of them run at the same time (${failure})`,
          open,
        );
      return false;
    }
    if (await this.#isFasterInTurns(due, results, turns, open, take)) {
      for (const [at, run] of due.entries()) await this.#emitLook(run, results[at] ?? [], open, take);
      return false;
    }
    for (const [at, run] of due.entries()) {
      const former = formerOf(run);
      const records = await emitRun(run, former ?? results[at] ?? [], former !== undefined, open);
      await takeRun(run, records, this.#givenUp, open, take);
    }
    return true;
  }

  /**
   * Whether code of the first round was so much faster in turns than alone that a part of it went on while
   * its process was stopped. A second look, as long as the run in turns, decides.
   */
  async #isFasterInTurns(
    due: readonly ScheduledRun[],
    results: readonly (readonly RunRecord[])[],
    turns: TurnsExecutor,
    open: RunningSession,
    take?: Take,
  ): Promise<boolean> {
    for (const [at, run] of due.entries()) {
      const [rate] = rateOf(results[at] ?? []);
      const first = this.#lookRates.get(sideOf(run));
      if (rate === undefined || first === undefined || run.round > 0 || rate <= first * mostGain) continue;
      await open.emit({ type: 'start', run });
      const again = await turns.look(run, open.signal);
      await this.#emitLook(run, again, open, take);
      const [alone] = rateOf(again);
      if (alone === undefined || rate <= alone * mostGain) continue;
      this.#inTurns.set(caseKey(run), false);
      const gain = `${(rate / alone).toFixed(1)} times as fast in turns as alone`;
      await this.#explain(
        run,
        `${run.subject} is ${gain}, so a part of it goes on while its process is stopped`,
        open,
      );
      return true;
    }
    return false;
  }

  async #emitLook(run: ScheduledRun, records: readonly RunRecord[], open: RunningSession, take?: Take) {
    const looks = records.map((record) => ({ ...record, kind: 'look' as const }));
    const emitted = await emitRun(run, looks, false, open);
    take?.(emitted, false);
  }

  /** Says once for each benchmark why its rounds run one after the other. */
  async #explain({ benchmark }: ScheduledRun, reason: string, { emit }: RunningSession): Promise<void> {
    if (this.#explained.has(benchmark)) return;
    this.#explained.add(benchmark);
    const message = `${benchmark}: its rounds run one after the other, and not in turns: ${reason}`;
    await emit({ type: 'warning', message });
  }

  /** Why processes of the first round fail twice in turns, for example because they need the same port. */
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
  const isClear = records.every(
    (record) => obstacleIn(record) === undefined || obstacleIn(record, nearlyBusy) !== undefined,
  );
  return isClear ? records : turns.look(short, signal);
}

const sideOf = (run: ScheduledRun) => JSON.stringify([caseKey(run), run.subject]);

/** The rate of a run, or none if it failed; of a look, the rate without the time that it waited for a CPU. */
function rateOf([record]: readonly RunRecord[]): readonly number[] {
  if (record?.status !== 'ok') return [];
  const { waitedForCpu = 0 } = record.activity ?? {};
  return [record.values.rate / Math.max(0.01, 1 - waitedForCpu)];
}

/** Why the process of a look cannot take turns: undefined if it can, empty if its record says why. */
function obstacleIn(record: RunRecord, least = leastBusy): string | undefined {
  const { activity } = record;
  // Load tools are stopped with their benchmark, but measure the time that passes.
  if (record.status === 'failed' || record.load !== undefined || activity === undefined) return '';
  const { busy, otherThreads = 0, clocks = [], heapBytes } = activity;
  const percent = (share: number) => `${Math.floor(share * 100)} %`;
  if (busy === undefined)
    return 'it reports its rate by a clock of its own, which may go on while its process is stopped';
  if (busy < least)
    return `its main thread ran for ${percent(busy)} of the measured part, and what it waits for goes on while its process is stopped`;
  if (otherThreads > mostOfThreads)
    return `its threads beside the main one ran for ${percent(otherThreads)} of the measured part, and would share one CPU`;
  if (clocks.length > 0)
    return `it uses clocks that go on while its process is stopped: ${clocks.join(', ')}`;
  if (isSlowed(record))
    return 'it reads clocks more than once in 10 µs, and clocks that can be stopped cost more';
  if (heapBytes > mostHeapBytes)
    return `its heap of ${Math.round(heapBytes / 1e6)} MB makes its processes differ by their garbage collections`;
  return undefined;
}

/** Whether it called clocks so often that to note the calls slowed it down. */
function isSlowed({ activity }: RunRecord): boolean {
  return (activity?.clockCallsPerMs ?? 0) > mostClockCallsPerMs;
}
