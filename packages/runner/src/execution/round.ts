import type { TraceWindow } from '@bench-cli/core/protocol';
import { caseKey, rateWithin } from '@bench-cli/results';
import type { RunRecord, SucceededRun } from '@bench-cli/results/recording';
import type { ScheduledRun } from '../plan/schedule.ts';
import { longestSliceMs } from '../process/turns.ts';
import {
  type Executor,
  emitRun,
  executeRuns,
  type RoundContext,
  type RunningSession,
  type TurnsExecutor,
  takeRun,
} from './executor.ts';

/** A less busy main thread waits for work that goes on while its process is stopped. */
const leastBusy = 0.9;
/** A process that is busy for this share may have lacked a CPU for a moment. A second look decides. */
const nearlyBusy = 0.6;
/** A process that is busy for a larger share only computes: its CPU time is its time alone. */
const onlyComputes = 0.995;
/** A process in turns that ran for a larger share had the CPU for itself. What is missing can be sleep. */
const hadCpu = 0.97;
/** Processes with larger heaps differ by their garbage collections, which turns do not make alike. */
const mostHeapBytes = 64 << 20;
/** Threads share one CPU in turns. Threads with a larger share of the time slow their process down. */
const mostOfThreads = 0.05;
/** The clocks of processes in turns cost more. With more readings, this is a part of what is measured. */
const mostClockCallsPerMs = 100;
/** Observed collections that take a larger share of the time make the rate of a look another one. */
const mostCollecting = 0.15;
/** Code in turns is hardly faster than in looks, even if they were short or met slow moments. */
const mostGain = 1.3;
/** Code that loses more than that of another side, by looks and then by long slices, needs the caches. */
const mostLoss = 1.2;
const furtherLooks = 3;
/** The CPU time of a window of a pilot in which a process hardly ran is not exact. */
const leastShare = 0.02;
/** How a look samples whose case is to be planned: as the shortest plan does. */
const shortLook = { warmUpMs: 100, measuredMs: 50 };

interface TurnsContext extends RoundContext {
  readonly turns: TurnsExecutor;
  /** A run of the case whose round it is. */
  readonly of: ScheduledRun;
}

/**
 * Executes rounds of cases: the processes of a round in turns (`Turns`) if the code of the case keeps a CPU
 * busy, and otherwise one after the other. Looks show which: runs of the first round one after the other.
 * They do not count if the case then takes turns, or if they were shorter than a pilot. While all cases of a
 * benchmark take turns, the first round of the next one takes turns, too, and looks are made only if its
 * processes are not clearly busy there.
 */
export class Rounds {
  /** Whether the rounds of a case run in turns, by its key. */
  readonly #inTurns = new Map<string, boolean | 'without a look'>();
  /** Whether all cases of a benchmark take turns so far. */
  readonly #fitting = new Map<string, boolean>();
  /** The benchmarks of which it was said why rounds run one after the other. */
  readonly #explained = new Set<string>();
  /** Whether no process of a case sleeps, so that its rates in turns are by CPU time, by its key. */
  readonly #byCpuTime = new Map<string, boolean>();
  /** The looks, by case and subject. */
  readonly #looks = new Map<string, RunRecord>();

  /** @param planned decides how the runs of a round sample, by all records so far */
  async execute(
    rounds: Iterable<readonly ScheduledRun[]>,
    executor: Executor,
    context: RoundContext,
    planned = (round: readonly ScheduledRun[]) => round,
  ): Promise<void> {
    for (const each of rounds) {
      const [first] = each;
      if (first === undefined) continue;
      const round = planned(each);
      const turns = round.length < 2 ? undefined : executor.turns?.(round);
      const left = turns === undefined ? round : await this.#execute(round, { ...context, turns, of: first });
      await executeRuns(left, executor, context);
    }
  }

  /** Executes a round in turns if it can. @returns the runs that are still to be executed, without turns */
  async #execute(round: readonly ScheduledRun[], context: TurnsContext) {
    const { of, open } = context;
    const key = caseKey(of);
    const isNew = round.every((run) => !open.recorded('look', run) && !open.recorded('rate', run));
    if (isNew && this.#fitting.get(of.benchmark) && !this.#inTurns.has(key))
      this.#inTurns.set(key, 'without a look');
    const left = this.#inTurns.has(key) ? round : await this.#look(round, context);
    return this.#inTurns.get(key) ? this.#executeInTurns(left, context) : left;
  }

  /** Decides by the first round of a case whether it runs in turns. @returns the runs that are still due */
  async #look(round: readonly ScheduledRun[], context: TurnsContext): Promise<readonly ScheduledRun[]> {
    const { of, open } = context;
    // Further looks, for rates, observe less than the first one, and records of turns say that they were
    // left.
    const former: (readonly RunRecord[] | undefined)[] = round.map((run) =>
      open
        .recorded('look', run)
        ?.filter(({ inTurns, startedAt }, _, [first]) => inTurns || startedAt === first?.startedAt),
    );
    const rates = round.flatMap((run) => open.recorded('rate', run) ?? []);
    const looks: { readonly run: ScheduledRun; readonly records: readonly RunRecord[] }[] = [];
    for (const [at, run] of round.entries()) {
      // A case with rates but no looks is decided by its rates.
      if (former[at] === undefined && rates.length > 0) continue;
      looks.push({ run, records: former[at] ?? (await lookAt(run, context)) });
    }
    const fits =
      rates.every(({ inTurns }) => inTurns) &&
      looks.every(({ records }) => records.every((record) => obstacleIn(record) === undefined));
    this.#inTurns.set(caseKey(of), fits);
    this.#noteSleep(of, looks.length > 0 ? looks.flatMap(({ records }) => records) : rates);
    this.#fitting.set(of.benchmark, fits && this.#fitting.get(of.benchmark) !== false);
    const left = new Set(round);
    for (const { run, records } of looks) {
      const [look] = records;
      if (look !== undefined) this.#looks.set(sideOf(run), look);
      const obstacle = records.map((record) => obstacleIn(record)).find((text) => text);
      if (obstacle !== undefined) await this.#explain(run, obstacle, open);
      const resumed = former.includes(records);
      // The samples of a planned run are shorter than the samples of a pilot.
      const isShort = records.every((record) => record.status === 'ok' && record.sampling !== undefined);
      const kind = resumed || fits || isShort || records.some(isSlowed) ? 'look' : 'rate';
      if (kind === 'look') await emitLook(run, records, context, resumed);
      else {
        left.delete(run);
        await takeRun(run, await emitRun(run, records, resumed, open), context);
      }
    }
    return [...left];
  }

  /** @returns the runs that are still to be executed, because the case leaves turns */
  async #executeInTurns(
    round: readonly ScheduledRun[],
    context: TurnsContext,
  ): Promise<readonly ScheduledRun[]> {
    const { of, turns, open, givenUp } = context;
    const key = caseKey(of);
    const due = round.filter((run) => !givenUp.has(run, run.subject));
    for (const run of round) if (givenUp.has(run, run.subject)) await open.emit({ type: 'skip', run });
    const formerOf = (run: ScheduledRun) => open.recorded('rate', run);
    // A run that was interrupted before its record has a partner again, whose rate is recorded already.
    const isRecorded = due.every((run) => formerOf(run) !== undefined);
    for (const run of due) if (formerOf(run) === undefined) await open.emit({ type: 'start', run });
    const isLook = this.#inTurns.get(key) === 'without a look';
    if (isLook) this.#inTurns.set(key, true);
    const byClock = isRecorded ? [] : await turns.execute(due, open.signal, isLook ? 'look' : undefined);
    // A wait goes on in the turns of the others, so that the more they are, the less of it shows.
    const least = 1 - (1 - leastBusy) / due.length;
    // A look has to tell if a process in turns slept, or if other programs had its CPU.
    const isUnclear = (record: RunRecord) =>
      obstacleIn(record, least) !== undefined || (record.activity?.cpu ?? 1) < hadCpu;
    const isDoubtful = isLook && byClock.flat().some(isUnclear);
    const left = isDoubtful ? await this.#look(round, context) : round;
    if (isLook && !isDoubtful) this.#noteSleep(of, byClock.flat());
    const results = this.#timed(byClock, context);
    const failure = this.#inTurns.get(key) ? await conflictOf(due, results, context) : undefined;
    if (failure !== undefined) {
      const reason = `its processes fail if two of them run at the same time (${failure})`;
      await this.#leaveTurns(of, reason, open);
      return left;
    }
    if (!this.#inTurns.get(key) || (await this.#isOtherInTurns(due, results, context))) {
      for (const [at, run] of due.entries()) await emitLook(run, results[at] ?? [], context);
      return left;
    }
    for (const [at, run] of due.entries()) {
      const former = formerOf(run);
      const records = await emitRun(run, former ?? results[at] ?? [], former !== undefined, open);
      await takeRun(run, records, context);
    }
    return [];
  }

  /**
   * Whether the first round shows that turns change what is measured: code that goes on while its process is
   * stopped is faster there than alone, and code that needs much of the caches of the CPU loses more than
   * that of another side. The geometric mean of further looks at a gain decides: of a short one, and of
   * others that are as long as the run in turns. At a loss, all sides run in long slices, where they meet the
   * same moments.
   */
  async #isOtherInTurns(
    due: readonly ScheduledRun[],
    results: readonly (readonly RunRecord[])[],
    context: TurnsContext,
  ): Promise<boolean> {
    const sides: readonly Side[] = due.flatMap((run, at) => {
      const [record] = (results[at] ?? []).filter(isStoppedMeanwhile);
      const look = this.#looks.get(sideOf(run));
      const gain = run.round === 0 && record && look ? gainOf(record, look) : undefined;
      return record === undefined || gain === undefined ? [] : { run, record, gain };
    });
    for (const suspectAmong of [gainAmong, lossAmong]) {
      let suspect = suspectAmong(sides);
      for (let further = 0; suspect !== undefined && further < furtherLooks; further++) {
        const { side, looked } = suspect;
        const isShort = further === 0 && looked.length === 1;
        const runs = looked.map(({ run }) => (isShort ? shortened(run) : run));
        const again = await this.#lookAgain(runs, context);
        for (const [at, each] of looked.entries()) {
          const records = again[at] ?? [];
          await emitLook(each.run, records, context);
          const gain = records[0] && gainOf(each.record, records[0]);
          if (gain === undefined) return false;
          // The first look is the suspicion, so the mean is that of the further ones.
          each.gain = each.gain ** (further / (further + 1)) * gain ** (1 / (further + 1));
        }
        suspect = suspectAmong(sides);
        // Noise makes now one side the suspect and now the other.
        if (suspect?.side !== side) suspect = undefined;
      }
      if (suspect === undefined) continue;
      await this.#leaveTurns(suspect.side.run, suspect.reason, context.open);
      return true;
    }
    return false;
  }

  /** Looks at one run again, or executes the runs of a round in long slices. */
  async #lookAgain(runs: readonly ScheduledRun[], context: TurnsContext) {
    const { turns, open } = context;
    for (const run of runs) await open.emit({ type: 'start', run });
    const [run, ...others] = runs;
    if (run !== undefined && others.length === 0) return [await turns.look(run, open.signal, true)];
    return this.#timed(await turns.execute(runs, open.signal, 'long slices'), context);
  }

  /** The records of a round, with rates by CPU time if this is how the rates of its case are known. */
  #timed(byClock: readonly (readonly RunRecord[])[], { of }: TurnsContext) {
    return this.#byCpuTime.get(caseKey(of)) ? allByCpuTime(byClock) : byClock;
  }

  /** Decides by looks at a case, or by its first round, whether its rates in turns are by CPU time. */
  #noteSleep(first: ScheduledRun, records: readonly RunRecord[]): void {
    const looked = records.filter(({ activity }) => activity?.busy !== undefined);
    this.#byCpuTime.set(caseKey(first), looked.length > 0 && looked.every(computes));
  }

  async #leaveTurns(run: ScheduledRun, reason: string, open: RunningSession): Promise<void> {
    this.#inTurns.set(caseKey(run), false);
    this.#fitting.set(run.benchmark, false);
    await this.#explain(run, reason, open);
  }

  async #explain({ benchmark }: ScheduledRun, reason: string, { emit }: RunningSession): Promise<void> {
    if (this.#explained.has(benchmark)) return;
    this.#explained.add(benchmark);
    const message = `${benchmark}: its rounds run one after the other, and not in turns: ${reason}`;
    await emit({ type: 'warning', message });
  }
}

/** A run of the first round in turns. */
interface Side {
  readonly run: ScheduledRun;
  readonly record: RunRecord;
  /** Its rate by that of a look, or by those of further looks or of long slices. */
  gain: number;
}

/** The side that turns make faster, if they make one, with the sides to look at again. */
function gainAmong(sides: readonly Side[]) {
  const [side] = sides.toSorted((a, b) => b.gain - a.gain);
  if (side === undefined || !(side.gain > mostGain)) return undefined;
  const reason = `${side.run.subject} is ${side.gain.toFixed(1)} times as fast in turns as alone, so a part of it goes on while its process is stopped`;
  return { side, looked: [side], reason };
}

/** The side that loses most in turns, if another loses less, with the sides to look at again. */
function lossAmong(sides: readonly Side[]) {
  const ascending = sides.toSorted((a, b) => a.gain - b.gain);
  const [side, fastest] = [ascending[0], ascending.at(-1)];
  if (side === undefined || fastest === undefined || !(fastest.gain > mostLoss * side.gain)) return undefined;
  const times = (fastest.gain / side.gain).toFixed(1);
  const reason = `${side.run.subject} is ${times} times as slow in short turns as in long ones, compared with ${fastest.run.subject}: it needs the caches of the CPU that both use in turns`;
  return { side, looked: sides, reason };
}

async function emitLook(
  run: ScheduledRun,
  records: readonly RunRecord[],
  { open, take }: TurnsContext,
  resumed = false,
): Promise<void> {
  const looks = records.map((record) => ({ ...record, kind: 'look' as const }));
  const emitted = await emitRun(run, looks, resumed, open);
  take?.(emitted, false);
}

/** Why processes of the first round fail twice in turns, for example because they need the same port. */
async function conflictOf(
  due: readonly ScheduledRun[],
  results: readonly (readonly RunRecord[])[],
  { turns, open: { recorded, signal } }: TurnsContext,
): Promise<string | undefined> {
  const isFirst = due.every((run) => run.round === 0 && recorded('rate', run) === undefined);
  if (!isFirst || failureIn(results) === undefined) return undefined;
  return failureIn(await turns.execute(due, signal));
}

const failureIn = (results: readonly (readonly RunRecord[])[]) =>
  results.flat().flatMap((record) => (record.status === 'failed' ? record.failure.message : []))[0];

const shortened = (run: ScheduledRun): ScheduledRun =>
  run.order === 'pilot' ? { ...run, order: shortLook } : run;

/** Whether a process was stopped during its measured part: a turn is not longer. */
const isStoppedMeanwhile = (record: RunRecord) =>
  record.status === 'ok' && 1000 * Number(record.time) > 2 * longestSliceMs;

/** A second look if the first one does not tell for certain. */
async function lookAt(run: ScheduledRun, { turns, open }: TurnsContext): Promise<readonly RunRecord[]> {
  const short = shortened(run);
  await open.emit({ type: 'start', run });
  const records = await turns.look(short, open.signal);
  const isClear = records.every(
    (record) => obstacleIn(record) === undefined || obstacleIn(record, nearlyBusy) !== undefined,
  );
  return isClear ? records : turns.look(short, open.signal);
}

/**
 * The records of a round with rates by the CPU time of their processes, which time without a CPU does not
 * change. If one of them had the CPU for itself, or has no CPU time, all have their rates by the clock.
 */
function allByCpuTime(results: readonly (readonly RunRecord[])[]): readonly (readonly RunRecord[])[] {
  const succeeded = results.flat().filter(({ status }) => status === 'ok');
  const isShared = succeeded.every(({ activity: { cpu = 1 } = {} }) => cpu < hadCpu);
  return isShared ? results.map((records) => records.map(byCpuTime)) : results;
}

function byCpuTime(record: RunRecord): RunRecord {
  const { cpu } = record.activity ?? {};
  if (record.status === 'failed' || cpu === undefined) return record;
  const { values, time, sampling } = record;
  const windows = sampling?.pilot?.windows.map(
    ([endMs, rate, share = cpu]): TraceWindow => [
      endMs,
      Number((rate / Math.max(share, leastShare)).toPrecision(5)),
    ],
  );
  return {
    ...record,
    byCpuTime: true,
    ...(windows && sampling?.pilot && { sampling: { ...sampling, pilot: { ...sampling.pilot, windows } } }),
    time: (Number(time) * cpu).toFixed(9),
    values: { ...values, rate: values.rate / cpu },
  };
}

/** Whether a process only computed. In turns, its threads share one CPU; alone, its main thread can wait. */
function computes({ activity: { busy = 0, cpu = 0 } = {}, inTurns }: RunRecord): boolean {
  return inTurns ? cpu >= hadCpu : busy >= onlyComputes;
}

const sideOf = (run: ScheduledRun) => JSON.stringify([caseKey(run), run.subject]);

/**
 * How many times as fast a run in turns was as a look, in the part of its life that the look measured: code
 * that is slow before it is compiled does not become faster by turns. Undefined if one of them failed.
 */
function gainOf(record: RunRecord, look: RunRecord): number | undefined {
  if (record.status === 'failed' || look.status === 'failed') return undefined;
  const { pilot, warmUpMs = 0, measuredMs = 0 } = look.sampling ?? {};
  const windows = pilot === undefined ? record.sampling?.pilot?.windows : undefined;
  const toMs = warmUpMs + measuredMs;
  const isCovered = measuredMs > 0 && (windows?.at(-1)?.[0] ?? 0) >= toMs;
  const rate = windows && isCovered ? rateWithin(windows, warmUpMs, toMs) : record.values.rate;
  return (rate * ranShare(look)) / (look.values.rate * ranShare(record));
}

/** The share of the time in which a process, which does not sleep, had a CPU. */
function ranShare({ activity }: SucceededRun): number {
  return Math.max(0.01, 1 - (activity?.waitedForCpu ?? 0));
}

/** Why the process of a look cannot take turns: undefined if it can, empty if its record says why. */
function obstacleIn(record: RunRecord, least = leastBusy): string | undefined {
  const { activity } = record;
  // Load tools are stopped with their benchmark, but measure the time that passes.
  if (record.status === 'failed' || record.load !== undefined || activity === undefined) return '';
  const { busy, otherThreads = 0, clocks = [], heapBytes = 0 } = activity;
  const percent = (share: number) => `${Math.floor(share * 100)} %`;
  if (busy === undefined)
    return 'it reports its rate by a clock of its own, which may go on while its process is stopped';
  if (busy < least)
    return `its main thread ran for ${percent(busy)} of the measured part, and what it waits for goes on while its process is stopped`;
  if (otherThreads > mostOfThreads)
    return `its threads beside the main one ran for ${percent(otherThreads)} of the measured part, and would share one CPU`;
  if (clocks.length > 0)
    return `it uses clocks that go on while its process is stopped: ${clocks.join(', ')}`;
  if (readsClocksOften(record))
    return 'it reads clocks more than once in 10 µs, and clocks that can be stopped cost more';
  if (heapBytes > mostHeapBytes)
    return `its heap of ${Math.round(heapBytes / 1e6)} MB makes its processes differ by their garbage collections`;
  return undefined;
}

/** Whether a process called clocks so often that counting the calls slowed it down. */
const readsClocksOften = ({ activity }: RunRecord) => (activity?.clockCallsPerMs ?? 0) > mostClockCallsPerMs;

/** Whether a look was slower than a run, because of what it observed. */
const isSlowed = (record: RunRecord) =>
  readsClocksOften(record) || (record.activity?.collecting ?? 0) > mostCollecting;
