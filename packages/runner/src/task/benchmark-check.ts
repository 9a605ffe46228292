import { type Case, type Configuration, caseName, START_UP_FACTOR, UsageError } from '@bench-cli/results';
import { type RunRecord, type SessionRequest, withCount } from '@bench-cli/results/recording';
import { type CheckedRun, type CountedRuns, type Evidence, isChecked } from '../check/evidence.ts';
import { allocatingCount, farFactor, findings } from '../check/finding.ts';
import { newSession, type OpenSession, openSession } from '../execution/open-session.ts';
import { executeBenchmark, type Runnable } from '../execution/preparation.ts';
import type { SessionEvent } from '../execution/session-event.ts';
import { ownPath } from '../locations.ts';
import { checkParameters } from '../plan/parameters.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { planBenchmarks } from './planning.ts';

export interface CheckOptions {
  /** The parameter that counts operations. Default `n`. */
  readonly parameter?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rounds with the declared count: every second one in the reverse order of the configurations. */
const ROUNDS = 5;
/** Runs with each higher count. */
const RUNS = 3;

/**
 * Checks whether benchmarks measure what they claim: runs each configuration with its count of operations, with twice that, and
 * with higher counts where these do not suffice. Only failed runs are events.
 *
 * @param request one subject
 * @throws UsageError if a value is set for an unknown parameter, or if nothing can be checked
 */
export function checkBenchmarks(
  request: SessionRequest,
  { parameter = 'n', signal }: CheckOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  return openSession(newSession(request), (open) => check(open, parameter), { signal });
}

async function check(open: OpenSession, parameter: string): Promise<void> {
  const { planned, hasFailed } = await planBenchmarks(open);
  checkParameters(open.request.settings, planned);
  let isNothing = !hasFailed;
  let firstReason: string | undefined;
  const emit = async (event: SessionEvent) => {
    if (event.type === 'checked' || event.type === 'run' || event.type === 'failure') isNothing = false;
    await open.emit(event);
  };
  const skip = async (name: string, reason: string) => {
    firstReason ??= `${name}: ${reason}`;
    await emit({ type: 'warning', message: `not checked: ${name}: ${reason}` });
  };
  for (const benchmark of planned) {
    const reason = obstacle(benchmark, parameter);
    if (reason !== undefined) await skip(benchmark.name, reason);
    else
      await executeBenchmark(benchmark, { ...open, emit }, (runnable) =>
        new BenchmarkCheck(runnable, parameter, { ...open, emit }, skip).execute(),
      );
  }
  if (isNothing && firstReason !== undefined)
    throw new UsageError('ERR_BENCH_CHECK', `nothing can be checked: ${firstReason}`);
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
  /** Of the run that failed. */
  readonly record: RunRecord | undefined;

  constructor(reason: string, record?: RunRecord) {
    super(reason);
    this.record = record;
  }
}

/** Checks one benchmark. */
class BenchmarkCheck {
  readonly #runnable: Runnable;
  readonly #parameter: string;
  readonly #open: OpenSession;
  readonly #skip: (name: string, reason: string) => Promise<void>;

  constructor(
    runnable: Runnable,
    parameter: string,
    open: OpenSession,
    skip: (name: string, reason: string) => Promise<void>,
  ) {
    this.#runnable = runnable;
    this.#parameter = parameter;
    this.#open = open;
    this.#skip = skip;
  }

  async execute(): Promise<void> {
    const { name: benchmark, configurations } = this.#runnable.benchmark;
    const open = new Map<Configuration, CheckedRun[]>(configurations.map((each) => [each, []]));
    for (let round = 0; round < ROUNDS; round++) {
      const inOrder = round % 2 === 0 ? configurations : configurations.toReversed();
      for (const configuration of inOrder) {
        const runs = open.get(configuration);
        if (runs === undefined) continue;
        const run = await this.#unlessUnchecked({ benchmark, configuration }, () =>
          this.#run(configuration, this.#countOf(configuration)),
        );
        if (run === undefined) open.delete(configuration);
        else runs.push(run);
      }
    }
    for (const [configuration, runs] of open) {
      const of = { benchmark, configuration };
      const evidence = await this.#unlessUnchecked(of, () => this.#evidence(configuration, runs));
      if (evidence === undefined) continue;
      const checked = { ...of, findings: findings(evidence), evidence };
      await this.#open.emit({ type: 'checked', checked });
    }
  }

  async #unlessUnchecked<Result>(of: Case, measure: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await measure();
    } catch (error) {
      if (!(error instanceof Unchecked)) throw error;
      const { message, record } = error;
      if (record === undefined) await this.#skip(caseName(of), message);
      else await this.#open.emit({ type: 'run', record, resumed: false });
      return undefined;
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
      configurations: this.#runnable.benchmark.configurations.length,
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
    const { benchmark, executor } = this.#runnable;
    const configuration = withCount(declared, this.#parameter, count);
    const [subject = ''] = benchmark.scripts.keys();
    const run = { benchmark: benchmark.name, configuration, subject, round: 0 };
    await this.#open.emit({ type: 'start', run });
    const [record] = await executor.execute(run, this.#open.signal, observation);
    if (record.status === 'failed') {
      const isDeclared = count === this.#countOf(declared);
      throw isDeclared
        ? new Unchecked(record.failure.message, record)
        : new Unchecked(`with ${this.#parameter}=${count} it ${record.failure.message}`);
    }
    if (!isChecked(record.values)) throw new Unchecked('it does not call start() and end()');
    return record.values;
  }
}

const observation = {
  kind: 'metrics',
  probe: { file: ownPath('check/check-probe.cjs'), env: {} },
} as const;
