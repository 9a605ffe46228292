import { fileURLToPath } from 'node:url';
import { type Case, type Configuration, START_UP_FACTOR } from '@bench-cli/results';
import { type Failure, type SessionRequest, withCount } from '@bench-cli/results/recording';
import type { CheckedRun, CountedRuns, Evidence } from '../check/evidence.ts';
import { allocatingCount, type Finding, farFactor, findings } from '../check/finding.ts';
import { ownFile } from '../locations.ts';
import type { LoadedProbe } from '../metric/loaded-probe.ts';
import { checkParameters } from '../plan/parameters.ts';
import { type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { Supervisor } from '../process/supervisor.ts';
import { placeRequest } from '../subject/placement.ts';
import { Preparation } from './preparation.ts';

export interface CheckOptions {
  /** The parameter that counts operations. Default `n`. */
  readonly parameter?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The findings about one case; empty if nothing was found. */
export interface CheckedCase extends Case {
  readonly findings: readonly Finding[];
  /** The figures of all runs. */
  readonly evidence: Evidence;
}

export type CheckEvent =
  /** A process begins. */
  | { readonly type: 'run'; readonly case: Case }
  | { readonly type: 'checked'; readonly case: CheckedCase }
  /** A benchmark, or one of its cases, cannot be checked. */
  | {
      readonly type: 'skipped';
      readonly name: string;
      readonly configuration?: Configuration;
      readonly reason: string;
    }
  | {
      readonly type: 'failure';
      readonly name: string;
      readonly configuration?: Configuration;
      readonly failure: Failure;
    };

/** Rounds with the declared count: every second one in the reverse order of the configurations. */
const ROUNDS = 5;
/** Runs with each higher count. */
const RUNS = 3;

/**
 * Checks whether benchmarks measure what they claim: runs each configuration with its count of operations, with twice that, and
 * with higher counts where these do not suffice.
 *
 * @param request one subject
 * @throws UsageError if a value is set for an unknown parameter
 */
export async function* checkBenchmarks(
  request: SessionRequest,
  { parameter = 'n', signal }: CheckOptions = {},
): AsyncGenerator<CheckEvent, void, void> {
  const supervisor = new Supervisor();
  const placed = placeRequest(request, supervisor.directory);
  const { files, subjects, settings } = placed;
  try {
    const planned: PlannedBenchmark[] = [];
    for (const file of files) {
      for (const plan of await planFile(file, subjects, settings, supervisor, signal)) {
        if ('failure' in plan) yield { type: 'failure', name: plan.name, failure: plan.failure };
        else planned.push(plan);
      }
    }
    checkParameters(settings, planned);
    for (const benchmark of planned) {
      const reason = obstacle(benchmark, parameter);
      if (reason !== undefined) {
        yield { type: 'skipped', name: benchmark.name, reason };
        continue;
      }
      const preparation = new Preparation(benchmark, { request: placed, supervisor, signal });
      const unprepared = await preparation.begin();
      if (unprepared !== undefined) {
        yield { type: 'failure', name: benchmark.name, failure: unprepared.failure };
        continue;
      }
      try {
        yield* new BenchmarkCheck(preparation, parameter, signal).events();
      } finally {
        await preparation.end();
      }
    }
  } finally {
    await supervisor.close();
  }
}

/** Why the count of a benchmark cannot be set. */
function obstacle(
  { configurations, parameters, scripts, unplanned }: PlannedBenchmark,
  parameter: string,
): string | undefined {
  if (unplanned !== undefined) return `its configurations are unknown, because ${unplanned}`;
  if ([...scripts.values()].some(({ values }) => values !== 'replaceable'))
    return 'its number of operations is in its source, and arguments cannot set it';
  if (!parameters.includes(parameter))
    return `it has no parameter "${parameter}"; name another with --parameter`;
  if (configurations.some((configuration) => typeof configuration[parameter] !== 'number'))
    return `its parameter "${parameter}" is not a number`;
  return undefined;
}

/** Ends the check of a case. */
class Unchecked extends Error {
  readonly failure: Failure | undefined;

  constructor(reason: string, failure?: Failure) {
    super(reason);
    this.failure = failure;
  }
}

/** Checks one benchmark. */
class BenchmarkCheck {
  readonly #preparation: Preparation;
  readonly #parameter: string;
  readonly #signal: AbortSignal | undefined;

  constructor(preparation: Preparation, parameter: string, signal: AbortSignal | undefined) {
    this.#preparation = preparation;
    this.#parameter = parameter;
    this.#signal = signal;
  }

  async *events(): AsyncGenerator<CheckEvent, void, void> {
    const { name, configurations } = this.#preparation.benchmark;
    const open = new Map<Configuration, CheckedRun[]>(configurations.map((each) => [each, []]));
    for (let round = 0; round < ROUNDS; round++) {
      const inOrder = round % 2 === 0 ? configurations : configurations.toReversed();
      for (const configuration of inOrder) {
        const runs = open.get(configuration);
        if (runs === undefined) continue;
        yield { type: 'run', case: { benchmark: name, configuration } };
        try {
          runs.push(await this.#run(configuration, this.#countOf(configuration)));
        } catch (error) {
          open.delete(configuration);
          yield uncheckedEvent(name, configuration, error);
        }
      }
    }
    for (const [configuration, runs] of open) {
      const of = { benchmark: name, configuration };
      yield { type: 'run', case: of };
      try {
        const evidence = await this.#evidence(configuration, runs);
        yield { type: 'checked', case: { ...of, findings: findings(evidence), evidence } };
      } catch (error) {
        yield uncheckedEvent(name, configuration, error);
      }
    }
  }

  async #evidence(configuration: Configuration, runs: readonly CheckedRun[]): Promise<Evidence> {
    const count = this.#countOf(configuration);
    const declared = { count, runs };
    const double = await this.#runs(configuration, 2 * count, RUNS);
    const many = await this.#runs(configuration, START_UP_FACTOR * count, RUNS);
    const factor = farFactor({ declared, double });
    const enough = allocatingCount({ declared, double });
    return {
      declared,
      double,
      many,
      ...(factor > 1 && {
        far: factor === START_UP_FACTOR ? many : await this.#runs(configuration, factor * count, RUNS),
      }),
      ...(enough !== undefined && { allocating: await this.#runs(configuration, enough, 2) }),
      configurations: this.#preparation.benchmark.configurations.length,
    };
  }

  #countOf(configuration: Configuration): number {
    return Number(configuration[this.#parameter]);
  }

  async #runs(configuration: Configuration, count: number, times: number): Promise<CountedRuns> {
    const runs: CheckedRun[] = [];
    while (runs.length < times) runs.push(await this.#run(configuration, count));
    return { count, runs };
  }

  /** @throws Unchecked for a run that fails, or that measures nothing */
  async #run(declared: Configuration, count: number): Promise<CheckedRun> {
    const { benchmark, executor } = this.#preparation;
    const configuration = withCount(declared, this.#parameter, count);
    const [subject = ''] = benchmark.scripts.keys();
    const run = { benchmark: benchmark.name, configuration, subject, round: 0 };
    const [record] = await executor.observe(run, checkProbe, this.#signal);
    if (record?.status === 'failed') {
      const isDeclared = count === this.#countOf(declared);
      throw isDeclared
        ? new Unchecked(record.failure.message, record.failure)
        : new Unchecked(`with ${this.#parameter}=${count} it ${record.failure.message}`);
    }
    const {
      elapsedNs,
      cpuNs,
      mainThreadNs,
      operations,
      allocatedBytes,
      pauseNs,
      collections,
      clockStepNs,
      emptyLoopNs,
    } = record?.values ?? {};
    if (
      elapsedNs === undefined ||
      cpuNs === undefined ||
      mainThreadNs === undefined ||
      operations === undefined ||
      allocatedBytes === undefined ||
      pauseNs === undefined ||
      collections === undefined ||
      clockStepNs === undefined ||
      emptyLoopNs === undefined
    ) {
      throw new Unchecked('it does not call start() and end()');
    }
    return {
      elapsedNs,
      cpuNs,
      mainThreadNs,
      operations,
      allocatedBytes,
      pauseNs,
      collections,
      clockStepNs,
      emptyLoopNs,
    };
  }
}

function uncheckedEvent(name: string, configuration: Configuration, error: unknown): CheckEvent {
  if (!(error instanceof Unchecked)) throw error;
  return error.failure === undefined
    ? { type: 'skipped', name, configuration, reason: error.message }
    : { type: 'failure', name, configuration, failure: error.failure };
}

const checkProbe: LoadedProbe = { file: fileURLToPath(ownFile('check/check-probe.cjs')), env: {} };
