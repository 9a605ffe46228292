import { UsageError } from '@bench-cli/results';
import type { Failure, SessionRequest } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import { ProcessExecutor, type RunOutcome } from './execution.ts';
import { type PlannedBenchmark, planBenchmark } from '../plan/plan.ts';
import { coefficientOfVariation, isSteady } from './steadiness.ts';
import { Supervisor } from '../process/supervisor.ts';

/** How far a calibration goes. */
export interface CalibrationOptions {
  /** The parameter that counts operations. Default `n`. */
  readonly parameter?: string | undefined;
  /** Steady is what varies by less than this fraction between runs. Default 0.05. */
  readonly variation?: number | undefined;
  /** The most runs of one configuration with one count; fewer where they tell enough. Default 15, at least 3. */
  readonly runs?: number | undefined;
  /** Counts for which a run would take longer than this are not tried, milliseconds. Default 1000. */
  readonly longestRunMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What one configuration did with one count. */
export interface Trial {
  readonly configuration: Configuration;
  readonly count: number;
  readonly runs: number;
  /** The coefficient of variation between the runs; undefined where a run failed. */
  readonly variation: number | undefined;
  /** Milliseconds of wall time of a run, on average. */
  readonly durationMs: number;
  /** Milliseconds of that which were measured. */
  readonly measuredMs: number;
  readonly steady: boolean;
  readonly failure?: Failure | undefined;
}

/** What a calibration came to. */
export interface Calibration {
  /** The smallest count that was tried for which all configurations that can be steady are; undefined if none is. */
  readonly count: number | undefined;
  /** The last trial of each configuration: with that count, or, of one that is never steady, with the highest. */
  readonly trials: readonly Trial[];
  /** Runs that it took. */
  readonly runs: number;
  /** Milliseconds that one run of each configuration takes with that count. */
  readonly roundMs: number;
}

/** What happens in a calibration, in order; the result comes last. */
export type CalibrationEvent =
  | { readonly type: 'trial'; readonly trial: Trial }
  | { readonly type: 'calibrated'; readonly calibration: Calibration };

const firstCount = 10;
/** A benchmark whose runs do not get longer with the count would be tried for ever. */
const highestCount = 1e9;
const defaultVariation = 0.05;
const defaultRuns = 15;
const defaultLongestRunMs = 1000;

/**
 * Finds the smallest count of operations (1, 2 or 5 times a power of ten) with which the rates of a benchmark are steady
 * from run to run. The first configuration is searched from below, with as few runs as tell; each further one begins
 * with the count that suffices for those before it, and goes on from there.
 * @param request one benchmark, one subject
 * @throws UsageError when the benchmark has no such parameter, or it is not numeric
 */
export async function* calibrate(
  request: SessionRequest,
  options: CalibrationOptions = {},
): AsyncGenerator<CalibrationEvent, void, void> {
  const { parameter = 'n', signal } = options;
  const supervisor = new Supervisor();
  try {
    const benchmark = await planned(request, supervisor, signal);
    const configurations = withoutParameter(benchmark, parameter);
    const executor = new ProcessExecutor(benchmark, request.subjects, request.settings, supervisor);
    const search = new Search(executor, benchmark, request, options);
    const failure = benchmark.setup ? await executor.prepare('setup', signal) : undefined;
    if (failure) throw new UsageError('ERR_BENCH_CALIBRATE', `${benchmark.file.name}: setup failed: ${failure.message}`);
    try {
      yield* search.of(configurations);
    } finally {
      if (benchmark.teardown) await executor.prepare('teardown');
    }
  } finally {
    await supervisor.close();
  }
}

async function planned(
  { files, subjects, settings }: SessionRequest,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): Promise<PlannedBenchmark> {
  const [file, another] = files;
  if (file === undefined || another !== undefined) {
    throw new UsageError('ERR_BENCH_CALIBRATE', `calibrate takes one benchmark, and these are ${files.length}`);
  }
  const result = await planBenchmark(file, subjects, settings, supervisor, signal);
  if ('failure' in result) throw new UsageError('ERR_BENCH_CALIBRATE', `${file.name} cannot be planned: ${result.failure.message}`);
  if (result.unplanned !== undefined) {
    throw new UsageError('ERR_BENCH_CALIBRATE', `${file.name} cannot be calibrated, since ${result.unplanned}`);
  }
  return result;
}

/** The configurations apart from the counts that they declare. */
function withoutParameter(
  { file, configurations, parameters }: PlannedBenchmark,
  parameter: string,
): readonly Configuration[] {
  if (!parameters.includes(parameter)) {
    throw new UsageError('ERR_BENCH_CALIBRATE', 
      `${file.name} has no parameter "${parameter}" to calibrate; name another with --parameter: ${parameters.join(', ') || 'it has none'}`,
    );
  }
  const unique = new Map<string, Configuration>();
  for (const configuration of configurations) {
    if (typeof configuration[parameter] !== 'number') {
      throw new UsageError('ERR_BENCH_CALIBRATE', `the parameter "${parameter}" of ${file.name} is no number`);
    }
    const others = { ...configuration, [parameter]: firstCount };
    unique.set(JSON.stringify(others), others);
  }
  return [...unique.values()];
}

/** The search for a count over all configurations of a benchmark. */
class Search {
  readonly #executor: ProcessExecutor;
  readonly #name: string;
  readonly #subject: string;
  readonly #parameter: string;
  readonly #limit: number;
  readonly #maximumRuns: number;
  readonly #longestRunMs: number;
  readonly #signal: AbortSignal | undefined;
  #runs = 0;

  constructor(
    executor: ProcessExecutor,
    benchmark: PlannedBenchmark,
    { subjects }: SessionRequest,
    options: CalibrationOptions,
  ) {
    this.#executor = executor;
    this.#name = benchmark.file.name;
    this.#subject = subjects[0]?.name ?? '';
    this.#parameter = options.parameter ?? 'n';
    this.#limit = options.variation ?? defaultVariation;
    this.#maximumRuns = Math.max(3, options.runs ?? defaultRuns);
    this.#longestRunMs = options.longestRunMs ?? defaultLongestRunMs;
    this.#signal = options.signal;
  }

  async *of(configurations: readonly Configuration[]): AsyncGenerator<CalibrationEvent, void, void> {
    const last: Trial[] = [];
    let count: number | undefined;
    for (const configuration of configurations) {
      const trials: Trial[] = [];
      for await (const trial of this.#ascend(configuration, count)) {
        trials.push(trial);
        yield { type: 'trial', trial };
      }
      const steady = trials.findLast((trial) => trial.steady);
      const shown = steady ?? trials.at(-1);
      if (shown !== undefined) last.push(shown);
      if (steady !== undefined) count = Math.max(count ?? 0, steady.count);
    }
    const roundMs = last.reduce((sum, trial) => {
      return sum + expectedMs(trial, count ?? trial.count);
    }, 0);
    yield { type: 'calibrated', calibration: { count, trials: last, runs: this.#runs, roundMs } };
  }

  /** Goes up by powers of ten until it is steady, and looks once more between the last two. */
  async *#ascend(configuration: Configuration, from: number | undefined): AsyncGenerator<Trial> {
    let unsteady: Trial | undefined;
    for (let count = from ?? firstCount; ; count *= 10) {
      if (count > highestCount) return;
      if (unsteady !== undefined && expectedMs(unsteady, count) > this.#longestRunMs) return;
      const trial = await this.#try(configuration, count);
      yield trial;
      if (trial.steady) break;
      unsteady = trial;
    }
    if (unsteady === undefined) return;
    for (const factor of [2, 5]) {
      const trial = await this.#try(configuration, unsteady.count * factor);
      yield trial;
      if (trial.steady) return;
    }
  }

  async #try(configuration: Configuration, count: number): Promise<Trial> {
    const rates: number[] = [];
    const tried = { ...configuration, [this.#parameter]: count };
    let totalMs = 0;
    let totalMeasuredMs = 0;
    for (;;) {
      const outcome = await this.#run(tried, rates.length);
      this.#runs++;
      totalMs += outcome.durationMs;
      totalMeasuredMs += outcome.status === 'ok' ? Number(outcome.time) * 1000 : 0;
      const runs = rates.length + 1;
      const durationMs = totalMs / runs;
      const trial = { configuration: tried, count, runs, durationMs, measuredMs: totalMeasuredMs / runs };
      if (outcome.status === 'failed') {
        return { ...trial, variation: undefined, steady: false, failure: outcome.failure };
      }
      rates.push(outcome.rate);
      const steady = isSteady(rates, this.#limit, this.#maximumRuns);
      if (steady !== undefined) return { ...trial, variation: coefficientOfVariation(rates), steady };
    }
  }

  #run(configuration: Configuration, round: number): Promise<RunOutcome> {
    const run = { benchmark: this.#name, configuration, subject: this.#subject, round };
    return this.#executor.execute(run, this.#signal);
  }
}

/** Only what is measured grows with the count. */
function expectedMs({ durationMs, measuredMs, count }: Trial, next: number): number {
  return durationMs + measuredMs * (next / count - 1);
}
