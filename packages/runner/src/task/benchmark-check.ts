import { agentPath, type CheckedRun, isChecked } from '@bench-cli/agent';
import { type Configuration, caseName, countParameter, UsageError } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import { allocatingCount, type Evidence, farFactor, findings, isNoisy } from '../check/finding.ts';
import { newSession, type OpenSession, openSession, type ProcessOptions } from '../execution/open-session.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { checkParameters } from '../plan/set-parameters.ts';
import { planBenchmarks } from './planning.ts';
import { executeBenchmarks, type Preparation } from './prepared-cases.ts';

export type CheckOptions = ProcessOptions;

/** Rounds with the declared count: every second one in the reverse order of the configurations. */
const ROUNDS = 5;
/** Runs with each higher count, and the most of them if they vary. */
const RUNS = 3;
const MOST_RUNS = 6;

/** The count that separates start-up from later operations, as a multiple of the declared one. */
const MANY = 4;

/** How long a process samples that finds its number of operations itself. */
const sampling = { warmUpMs: 100, measuredMs: 200 };

/**
 * Checks whether benchmarks measure what they claim: runs each configuration with its count of operations,
 * with twice that, and with higher counts where these do not suffice. A process that finds its count itself
 * only runs as it is. Only failed runs are events.
 *
 * @param request one subject
 * @throws UsageError if a value is set for an unknown parameter, or if nothing can be checked
 */
export function checkBenchmarks(request: SessionRequest, { signal, env }: CheckOptions = {}) {
  return openSession(newSession(request, env), check, { signal, env });
}

async function check(open: OpenSession): Promise<void> {
  const { planned, failures } = await planBenchmarks(open);
  checkParameters(open.request.settings, planned);
  let isNothing = failures.length === 0;
  let firstReason: string | undefined;
  const find = () => {
    isNothing = false;
  };
  open.listen({ checked: find, run: find, failure: find });
  const skip = async (name: string, reason: string) => {
    firstReason ??= `${name}: ${reason}`;
    await open.emit({ type: 'warning', message: `not checked: ${name}: ${reason}` });
  };
  for (const benchmark of planned) {
    const reason = obstacle(benchmark);
    if (reason !== undefined) await skip(benchmark.name, reason);
    else
      await executeBenchmarks([benchmark], open, async (prepared) => {
        for (const each of prepared) await checkBenchmark(each, open, skip);
      });
  }
  if (isNothing && firstReason !== undefined)
    throw new UsageError('ERR_BENCH_CHECK', `nothing can be checked: ${firstReason}`);
}

/** Why a benchmark has no measured part that is known before it runs. */
function obstacle({ scripts, unplanned }: PlannedBenchmark): string | undefined {
  if (unplanned !== undefined) return `its cases are unknown, because ${unplanned}`;
  const isCommand = [...scripts.values()].some(({ results }) => results === 'wall time');
  return isCommand ? 'the code of a whole command is not checked' : undefined;
}

function countObstacle({ configurations, parameters, scripts }: PlannedBenchmark) {
  if ([...scripts.values()].some(({ values }) => values !== 'replaceable'))
    return 'its number of operations is in its source, and arguments cannot set it';
  if (!parameters.includes(countParameter))
    return `it has no parameter "${countParameter}": give it one, the number of operations`;
  if (configurations.some((configuration) => typeof configuration[countParameter] !== 'number'))
    return `its parameter "${countParameter}" is not a number`;
  return undefined;
}

/** Aborts the check of a case whose reason was already emitted. */
const unchecked = new Error('unchecked');

async function checkBenchmark(
  { benchmark: planned, executor }: Preparation,
  { emit, signal }: OpenSession,
  skip: (name: string, reason: string) => Promise<void>,
): Promise<void> {
  const { name: benchmark, configurations, scripts } = planned;
  const [subject = ''] = scripts.keys();
  const reason = countObstacle(planned);
  const open = new Map<Configuration, CheckedRun[]>(configurations.map((each) => [each, []]));
  /** Configurations whose processes find the number of operations themselves. */
  const measured = new Set<Configuration>();
  const countOf = (configuration: Configuration) => Number(configuration[countParameter]);

  /** @throws unchecked for a run that fails, or that measures nothing */
  const execute = async (declared: Configuration, count: number): Promise<CheckedRun> => {
    const name = caseName({ benchmark, configuration: declared });
    const configuration = reason === undefined ? { ...declared, [countParameter]: count } : declared;
    const run = { benchmark, configuration, subject, round: 0, order: sampling };
    await emit({ type: 'start', run });
    const [record] = await executor.execute(run, signal, checkProbe);
    if (record.status === 'ok' && record.latency !== undefined) measured.add(declared);
    if (record.status === 'ok' && !measured.has(declared) && reason !== undefined) {
      open.clear();
      await skip(benchmark, reason);
    } else if (record.status === 'ok' && isChecked(record.values))
      return { ...record.values, sampleNs: record.latency?.p50Ns };
    else if (record.status === 'ok') await skip(name, 'it does not call start() and end()');
    else if (reason !== undefined || count === countOf(declared))
      await emit({ type: 'run', record, resumed: false });
    else await skip(name, `with ${countParameter}=${count} it ${record.failure.message}`);
    throw unchecked;
  };
  const executeAll = async (configuration: Configuration, count: number, most = MOST_RUNS) => {
    const runs: CheckedRun[] = [];
    while (runs.length < Math.min(RUNS, most) || (runs.length < most && isNoisy(runs)))
      runs.push(await execute(configuration, count));
    return { count, runs };
  };
  const evidenceOf = async (configuration: Configuration, runs: readonly CheckedRun[]): Promise<Evidence> => {
    const count = countOf(configuration);
    const declared = { count, runs };
    if (measured.has(configuration)) return { declared, configurations: configurations.length };
    const double = await executeAll(configuration, 2 * count);
    const many = await executeAll(configuration, MANY * count);
    const factor = farFactor({ declared, double });
    const enough = allocatingCount({ declared, double });
    return {
      declared,
      double,
      many,
      ...(factor > 1 && {
        far: factor === MANY ? many : await executeAll(configuration, factor * count),
      }),
      ...(enough !== undefined && { allocating: await executeAll(configuration, enough, 2) }),
      configurations: configurations.length,
    };
  };

  for (let round = 0; round < ROUNDS; round++) {
    for (const configuration of round % 2 === 0 ? configurations : configurations.toReversed()) {
      const runs = open.get(configuration);
      if (runs === undefined) continue;
      const run = await execute(configuration, countOf(configuration)).catch(orUnchecked);
      if (run === undefined) open.delete(configuration);
      else runs.push(run);
    }
  }
  for (const [configuration, runs] of open) {
    const evidence = await evidenceOf(configuration, runs).catch(orUnchecked);
    if (evidence === undefined) continue;
    const checked = { benchmark, configuration, findings: findings(evidence), evidence };
    await emit({ type: 'checked', checked });
  }
}

function orUnchecked(error: unknown): undefined {
  if (error !== unchecked) throw error;
}

const checkProbe = { file: agentPath('check/check-probe.cjs') } as const;
