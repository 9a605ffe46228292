/**
 * Starts a Node core benchmark as the main module of the process. Unlike a preload, this file does not change
 * `process.execArgv`, and workers and clusters do not load it. Every run loads it, so it must be small. It
 * supports Node.js 18 and later.
 */
import { activity, describe, endInGrace, probe } from '@bench-cli/core/other-tools';
import type { ToolCheck } from '../order.ts';
import { orderTo } from '../taken-order.ts';

const childProcess: typeof import('node:child_process') = require('node:child_process');
const Module: typeof import('node:module') = require('node:module');

const order = orderTo('nodeCore');
const { hrtime } = process;
const { bigint } = hrtime;
// The benchmark and its child processes must not see the loader.
process.argv.splice(1, 1);
delete require.cache[__filename];

const { send } = process;
process.on('uncaughtExceptionMonitor', (thrown) => {
  if (process.listenerCount('uncaughtException') > 0) return;
  Reflect.apply(send ?? (() => false), process, [{ type: 'error', ...describe(thrown) }]);
});
const made = loadToolChecks(`${order.suite}/_http-benchmarkers.js`, order.checks);
if (order.task === 'run') watchRun();
else {
  const prepare: (wrap: typeof wrapCreate, checks: readonly ToolCheck[]) => void = require(
    `./node-core-${order.task}.cjs`,
  );
  prepare(wrapCreate, made);
}
Module.runMain();

/**
 * Loads the file of the suite that starts each load tool to check for it. The outcomes of the first process
 * of the session answer the checks of later processes, which saves half the time of a run.
 * @returns the checks that were made in this process
 */
function loadToolChecks(path: string, known: readonly ToolCheck[] | undefined): ToolCheck[] {
  const { spawnSync } = childProcess;
  const checks: ToolCheck[] = [];
  let loading = true;
  Reflect.set(childProcess, 'spawnSync', (command: string, args?: unknown, ...rest: unknown[]) => {
    const real = () => Reflect.apply(spawnSync, childProcess, [command, args, ...rest]);
    if (!loading || !Array.isArray(args)) return real();
    const check = known?.find(
      (one) => one.command === command && JSON.stringify(one.args) === JSON.stringify(args),
    );
    if (check !== undefined) return answerOf(check, real);
    const result: ReturnType<typeof spawnSync> = real();
    const error: NodeJS.ErrnoException | undefined = result.error;
    checks.push({ command, args, status: result.status, ...(error?.code && { error: error.code }) });
    return result;
  });
  try {
    require(path);
  } catch (error) {
    const { code, requireStack } = Object(error);
    if (code !== 'MODULE_NOT_FOUND' || requireStack?.[0] !== __filename) throw error;
  } finally {
    loading = false;
    Reflect.set(childProcess, 'spawnSync', spawnSync);
  }
  return checks;
}

/** The output of a tool is not recorded. A file that reads the output starts the tool. */
function answerOf(check: ToolCheck, real: () => object) {
  const { command, args, status, error } = check;
  const answer = { status, signal: null, pid: 0, output: null, stdout: null, stderr: null };
  if (error !== undefined) {
    const path = { code: error, syscall: `spawnSync ${command}`, path: command, spawnargs: args };
    return { ...answer, error: Object.assign(new Error(`spawnSync ${command} ${error}`), path) };
  }
  for (const name of ['pid', 'output', 'stdout', 'stderr'])
    Object.defineProperty(answer, name, { get: () => Reflect.get(real(), name) });
  return answer;
}

/** The clock for `start()`, before which the activity begins, or for `end()`, after which it ends. */
function clockFor(name: string): () => bigint {
  if (activity === undefined) return bigint;
  const { nowNs, begin, end } = activity;
  return () => {
    if (name === 'start') begin();
    const ns = nowNs();
    if (name === 'end') end();
    return ns;
  };
}

/**
 * Lets the probe measure between `start()` and `end()`, and common.js read the clock of this process even if
 * the benchmark installs fake timers.
 */
function withProbes(benchmark: object): object {
  for (const name of ['start', 'end']) {
    const original = Reflect.get(benchmark, name);
    const observe: ((operations: number) => void) | undefined = name === 'start' ? probe?.begin : probe?.end;
    const clock = clockFor(name);
    Reflect.set(benchmark, name, (...args: readonly [operations: number]) => {
      observe?.(...args);
      const replaced = process.hrtime;
      const { bigint: replacedBigint } = hrtime;
      if (replaced === hrtime && replacedBigint === clock) return Reflect.apply(original, benchmark, args);
      process.hrtime = Object.assign(hrtime, { bigint: clock });
      try {
        return Reflect.apply(original, benchmark, args);
      } finally {
        hrtime.bigint = replacedBigint;
        process.hrtime = replaced;
      }
    });
  }
  return benchmark;
}

/**
 * Adds the metrics of the probe to reports. Ends the process when its main function has ended and its result
 * has been sent, even if handles are open.
 */
function watchRun(): void {
  let [isSettled, isSent] = [false, false];
  const end = () => {
    if (isSettled && isSent)
      endInGrace((message, leave) => Reflect.apply(send ?? leave, process, [message, leave]));
  };
  process.send = (message: unknown, ...rest: unknown[]) => {
    const report = Object(message);
    isSent ||= report.type === 'report';
    end();
    // Reports of a benchmark that uses @bench-cli/core have them already.
    const isBare = report.type === 'report' && report.metrics === undefined;
    const sent = probe && isBare ? { ...report, metrics: probe.values() } : message;
    return Reflect.apply(send ?? (() => false), process, [sent, ...rest]);
  };
  wrapCreate((create, parameters) => {
    const [main] = parameters;
    parameters[0] = (...args: readonly unknown[]) => {
      const result = Reflect.apply(Object(main), undefined, args);
      Promise.resolve(result).then(() => {
        isSettled = true;
        end();
      });
      return result;
    };
    return withProbes(create());
  });
}

/** Puts a function around `createBenchmark` of common.js. */
function wrapCreate(make: (create: () => object, parameters: unknown[]) => object): void {
  const common = require(`${order.suite}/common.js`);
  const create: unknown = common.createBenchmark;
  if (typeof create !== 'function') return;
  common.createBenchmark = (...parameters: unknown[]) =>
    make(() => Reflect.apply(create, common, parameters), parameters);
}
