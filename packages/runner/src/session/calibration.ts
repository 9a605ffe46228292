import { type Configuration, caseKey, UsageError } from '@bench-cli/results';
import { type Failure, type SessionRequest, withCount } from '@bench-cli/results/recording';
import { checkParameters } from '../plan/parameters.ts';
import { type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { Supervisor } from '../process/supervisor.ts';
import { CountTrials } from './count-trials.ts';
import { Preparation } from './preparation.ts';
import { coefficientOfVariation, isSteady } from './steadiness.ts';

/** Limits of a calibration. */
export interface CalibrationOptions {
  /** The parameter that counts operations. Default `n`. */
  readonly parameter?: string | undefined;
  /** The limit of the coefficient of variation between steady runs, a fraction. Default 0.05. */
  readonly variation?: number | undefined;
  /** The most runs of one configuration with one count. Default 15, at least 3. */
  readonly runs?: number | undefined;
  /** Counts with longer runs than this are not tried, milliseconds. Default 1000. */
  readonly longestRunMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The runs of one configuration with one count. */
export interface Trial {
  readonly configuration: Configuration;
  readonly count: number;
  readonly runs: number;
  /** The coefficient of variation between the runs; undefined if a run failed. */
  readonly variation: number | undefined;
  /** Milliseconds of wall time of a run, on average. */
  readonly durationMs: number;
  /** Milliseconds of the measured part of a run, on average. */
  readonly measuredMs: number;
  readonly steady: boolean;
  readonly failure?: Failure | undefined;
}

/** The result of a calibration. */
export interface Calibration {
  /** The smallest tried count with which all configurations that can be steady are; undefined if none is. */
  readonly count: number | undefined;
  /** The last steady trial of each configuration, or its last trial if none is steady. */
  readonly trials: readonly Trial[];
  /** The number of all runs. */
  readonly runs: number;
  /** Milliseconds of one run of each configuration with that count. */
  readonly roundMs: number;
}

/** The events of a calibration; the result is the last one. */
export type CalibrationEvent =
  | { readonly type: 'trial'; readonly trial: Trial }
  | { readonly type: 'calibrated'; readonly calibration: Calibration };

const firstCount = 10;
/** Ends the search if runs do not get longer with the count. */
const highestCount = 1e9;

/**
 * Finds the smallest count of operations (1, 2 or 5 times a power of ten) with which the rates of a benchmark are steady
 * from run to run, with as few runs as possible. The search of each further configuration starts at the count that is
 * enough for those before it.
 * @param request one benchmark, one subject
 * @throws UsageError if the benchmark cannot be planned or set up, or if the parameter is missing or not a number
 */
export async function* calibrate(
  request: SessionRequest,
  options: CalibrationOptions = {},
): AsyncGenerator<CalibrationEvent, void, void> {
  const { parameter = 'n', signal } = options;
  const supervisor = new Supervisor();
  try {
    const benchmark = await planned(request, supervisor, signal);
    const { name } = benchmark;
    const configurations = withoutParameter(benchmark, parameter);
    const preparation = new Preparation(benchmark, { request, supervisor, signal });
    const unprepared = await preparation.begin();
    if (unprepared !== undefined)
      throw cannotCalibrate(name, `its setup failed: ${unprepared.failure.message}`);
    try {
      const trials = new CountTrials(preparation.executor, name, parameter, signal);
      yield* new Search(trials, request.subjects[0]?.name ?? '', parameter, options).of(configurations);
    } finally {
      await preparation.end();
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
    throw new UsageError(
      'ERR_BENCH_SELECTION',
      `calibrate takes one benchmark, but ${files.length} are selected: give one file`,
    );
  }
  const [result] = await planFile(file, subjects, settings, supervisor, signal);
  if (result === undefined || 'failure' in result) {
    throw cannotCalibrate(file.name, `planning it failed: ${result?.failure.message}`);
  }
  if (result.unplanned !== undefined) {
    throw cannotCalibrate(file.name, `its configurations are unknown, because ${result.unplanned}`);
  }
  checkParameters(settings, [result]);
  if ([...result.scripts.values()].every(({ values }) => values === 'replaceable')) return result;
  throw cannotCalibrate(file.name, 'its number of operations is in its source, and arguments cannot set it');
}

function cannotCalibrate(name: string, reason: string): UsageError {
  return new UsageError('ERR_BENCH_CALIBRATE', `${name} cannot be calibrated: ${reason}`);
}

/** The configurations without the declared counts. */
function withoutParameter(
  { name, configurations, parameters }: PlannedBenchmark,
  parameter: string,
): readonly Configuration[] {
  if (!parameters.includes(parameter)) {
    throw new UsageError(
      'ERR_BENCH_UNKNOWN_PARAMETER',
      `${name} has no parameter "${parameter}": choose one with --parameter${parameters.length > 0 ? `: ${parameters.join(', ')}` : ', but it has none'}`,
    );
  }
  const unique = new Map<string, Configuration>();
  for (const configuration of configurations) {
    if (typeof configuration[parameter] !== 'number') {
      throw new UsageError(
        'ERR_BENCH_PARAMETER',
        `the parameter "${parameter}" of ${name} has the value "${configuration[parameter]}", which is not a number: choose another with --parameter`,
      );
    }
    const others = withCount(configuration, parameter, firstCount);
    unique.set(caseKey({ benchmark: name, configuration: others }), others);
  }
  return [...unique.values()];
}

/** The search for a count for all configurations of a benchmark. */
class Search {
  readonly #trials: CountTrials;
  readonly #subject: string;
  readonly #parameter: string;
  readonly #limit: number;
  readonly #maximumRuns: number;
  readonly #longestRunMs: number;

  constructor(
    trials: CountTrials,
    subject: string,
    parameter: string,
    { variation = 0.05, runs = 15, longestRunMs = 1000 }: CalibrationOptions,
  ) {
    this.#trials = trials;
    this.#subject = subject;
    this.#parameter = parameter;
    this.#limit = variation;
    this.#maximumRuns = Math.max(3, runs);
    this.#longestRunMs = longestRunMs;
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
    const roundMs = last.reduce((sum, trial) => sum + expectedMs(trial, count ?? trial.count), 0);
    yield { type: 'calibrated', calibration: { count, trials: last, runs: this.#trials.runs, roundMs } };
  }

  /** Increases the count by powers of ten until the runs are steady, then tries 2 and 5 times the last unsteady count. */
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
    let totalMs = 0;
    let totalMeasuredMs = 0;
    for (;;) {
      const { outcome, measuredMs } = await this.#trials.run(
        configuration,
        count,
        this.#subject,
        rates.length,
      );
      totalMs += outcome.durationMs;
      totalMeasuredMs += measuredMs;
      const runs = rates.length + 1;
      const trial = {
        configuration: withCount(configuration, this.#parameter, count),
        count,
        runs,
        durationMs: totalMs / runs,
        measuredMs: totalMeasuredMs / runs,
      };
      if (outcome.status === 'failed') {
        return { ...trial, variation: undefined, steady: false, failure: outcome.failure };
      }
      rates.push(outcome.rate);
      const steady = isSteady(rates, this.#limit, this.#maximumRuns);
      if (steady !== undefined) return { ...trial, variation: coefficientOfVariation(rates), steady };
    }
  }
}

/** Only the measured part of a run grows with the count. */
function expectedMs({ durationMs, measuredMs, count }: Trial, next: number): number {
  return durationMs + measuredMs * (next / count - 1);
}
