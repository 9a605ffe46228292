import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { SamplingOrder } from '@bench-cli/core/protocol';
import type { Configuration } from '@bench-cli/results';
import type { ScriptedExecutor } from '@bench-cli/runner';

type ProcessOutcome = Awaited<ReturnType<ScriptedExecutor>>;
type Report = Extract<ProcessOutcome['messages'][number], { type: 'report' }>;

/** A run of a `createBenchmark` file. */
export interface ScriptedRun {
  /** The name of the benchmark: the last directory and the file. */
  readonly benchmark: string;
  readonly path: string;
  readonly configuration: Configuration;
  /** The program and its arguments, of which the first or one after `taskset` is the runtime of the subject. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** How it is to sample, in sessions that plan that. */
  readonly order: SamplingOrder | undefined;
}

/** What a run reports beside its rate, how it spent its time, and how long it took, milliseconds. Default: nothing, in 10 ms. */
export interface ScriptedResult extends Partial<Omit<Report, 'type' | 'name' | 'conf'>> {
  readonly rate: number;
  readonly activity?: ProcessOutcome['activity'];
  readonly durationMs?: number;
}

/** Noise that lasts for 300 ms, which longer measured parts average out. */
export const windows = Array.from({ length: 83 }, (_, at): [number, number] => [
  15 * (at + 1),
  at % 40 < 20 ? 0.8e6 : 1.2e6,
]);

/** How a process samples: as it is told, and with the declared times unless it is told. */
export function orderedSampling(order: SamplingOrder | undefined): Report['sampling'] {
  return order === 'pilot' ? { warmUpMs: 250, measuredMs: 30, pilot: { longestMs: 30, windows } } : order;
}

/** The outcomes of planning, by what they depend on: the text of the file and the arguments. */
const plans = new Map<string, ProcessOutcome>();

/**
 * Takes the place of processes in tests of sessions in which rates are known or do not matter. A real process plans each text of a file
 * once, unless it reads variables. Probes of metrics, CommonJS benchmarks and files of other tools get real processes, too.
 * @param resultOf a rate alone, a result, or an error for a run that throws it; undefined to start a process for a run
 * @param plansAgain whether a real process makes each plan, which then has the files that it loads. Default: false
 */
export function scriptedRates(
  resultOf: (run: ScriptedRun) => number | ScriptedResult | Error | undefined,
  plansAgain = false,
): ScriptedExecutor {
  return async (request, start) => {
    const { command, args, env, order = {} } = request;
    const at = args.findLastIndex((word) => word !== '--test' && !word.includes('='));
    const path = args[at];
    if (path === undefined || args.some((word) => word.endsWith('probe.cjs'))) return start(request);
    const pairs = args.slice(at + 1);
    if (order.phase === 'plan') {
      const source = readFileSync(path, 'utf8');
      if (plansAgain || source.includes('process.env')) return start(request);
      // A plan that is repeated loads no files.
      const key = JSON.stringify([source, args.slice(0, at), pairs]);
      const plan =
        plans.get(key) ?? (await start({ ...request, order: { ...order, importedFiles: undefined } }));
      plans.set(key, plan);
      return plan;
    }
    if (env['NODE_RUN_BENCHMARK_FN'] === undefined) return start(request);
    const benchmark = `${basename(dirname(path))}/${basename(path)}`;
    const configuration = Object.fromEntries(pairs.map(argumentOf));
    const words = [command, ...args];
    const result = resultOf({ benchmark, path, configuration, words, env, order: order.sampling });
    if (result === undefined) return start(request);
    return outcomeOf(benchmark, configuration, typeof result === 'number' ? { rate: result } : result);
  };
}

function argumentOf(word: string): [string, Configuration[string]] {
  const [name = '', value = ''] = word.split(/=(.*)/s);
  if (value === 'true' || value === 'false') return [name, value === 'true'];
  return [name, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value];
}

function outcomeOf(name: string, conf: Configuration, result: ScriptedResult | Error): ProcessOutcome {
  const isFailed = result instanceof Error;
  const { activity, durationMs = 10, ...report } = isFailed ? { rate: 0 } : result;
  return {
    messages: isFailed ? [] : [{ type: 'report', name, conf, time: '0.010000000', ...report }],
    failure: isFailed ? { kind: 'threw', message: result.message, output: '' } : undefined,
    durationMs,
    activity,
    endSignal: null,
    sleptMs: 0,
    exitCode: 0,
    printed: () => '',
    kept: () => ({ output: '', warnings: '' }),
  };
}

/** Lets an executor take the place of the processes of metrics, too, which load a probe. */
export const withoutProbes =
  (executor: ScriptedExecutor): ScriptedExecutor =>
  ({ args, ...request }, start) =>
    executor(
      { ...request, args: args.slice(args.findIndex((word) => word.endsWith('probe.cjs')) + 1) },
      start,
    );

/** Starts a process for each order once, for sessions that plan or run the same again. */
export function startedOnce(
  executor: ScriptedExecutor = (request, start) => start(request),
): ScriptedExecutor {
  const outcomes = new Map<string, ReturnType<ScriptedExecutor>>();
  return (request, start) => {
    const order = { ...request.order, importedFiles: undefined };
    const key = JSON.stringify([request.args, order]);
    const outcome = outcomes.get(key) ?? executor({ ...request, order }, start);
    outcomes.set(key, outcome);
    return outcome;
  };
}

/** Rates that vary by some per mille from run to run, the same ones each time. */
export function anyRates(plansAgain = false): ScriptedExecutor {
  let runs = 0;
  return scriptedRates(() => 1000 + ((runs++ * 7) % 5), plansAgain);
}
