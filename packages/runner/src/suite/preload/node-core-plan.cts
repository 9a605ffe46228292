/**
 * Finds the configurations of a Node core benchmark without running any. It captures the arguments of `createBenchmark`
 * with their types; if common.js has an unknown form, it captures the processes that the benchmark would fork.
 */
module.exports = function preparePlan(
  suite: string,
  checks: readonly import('../../order.ts', { with: { 'resolution-mode': 'import' }}).ToolCheck[],
): void {
  type Values = Record<string, string | number>;
  const childProcess: typeof import('node:child_process') = require('node:child_process');
  const Module: typeof import('node:module') = require('node:module');

  const forked: { readonly pairs: Values; readonly flags: readonly string[] }[] = [];
  let created = 0;
  let answered = false;
  let reported = false;
  const { send } = process;

  // A benchmark that uses @bench-cli/core reports its own plan.
  process.send = (message: unknown, ...rest: unknown[]) => {
    const { type } = Object(message);
    if (type === 'plan') answered = true;
    if (type === 'report') reported = true;
    return Reflect.apply(send ?? (() => false), process, [message, ...rest]);
  };
  captureBenchmarks();
  Reflect.set(childProcess, 'fork', pretendToFork);
  refuseToStartItself('spawn');
  process.once('beforeExit', () => {
    const last = forked.at(-1);
    if (answered) return;
    if (last !== undefined) plan({ configurations: forked.map(({ pairs }) => pairs), flags: last.flags });
    // A file that only exports code for others reports nothing, and is skipped.
    else if (reported || created > 0) unplannable('it does not call createBenchmark');
  });

  function answer(message: object): void {
    if (answered) return;
    answered = true;
    const post = (value: object, sent: () => void) => Reflect.apply(send ?? sent, process, [value, sent]);
    // Other work of the script is not needed.
    post({ type: 'checks', checks }, () => post(message, () => process.exit(0)));
  }

  function unplannable(reason: string): void {
    answer({ type: 'unplannable', reason });
  }

  function plan(found: {
    readonly configurations: readonly Values[];
    readonly flags: readonly string[];
    readonly extra?: Readonly<Record<string, string>>;
    readonly declared?: readonly string[];
    readonly values?: Record<string, string[]>;
    readonly setup?: boolean;
  }): void {
    const { configurations, flags, extra = {}, declared = [], values = {}, setup = false } = found;
    answer({
      type: 'plan',
      configurations,
      extra,
      flags,
      parameters: [...new Set([...declared, ...configurations.flatMap((each) => Object.keys(each))])],
      values,
      setup,
      teardown: setup,
    });
  }

  /** Wraps `createBenchmark` as soon as common.js has loaded. */
  function captureBenchmarks(): void {
    const extensions: Record<string, (module: NodeJS.Module, path: string) => void> = Reflect.get(
      Module,
      '_extensions',
    );
    const load = extensions['.js'];
    const common = require.resolve(`${suite}/common.js`);
    extensions['.js'] = (module, path) => {
      if (load !== undefined) Reflect.apply(load, extensions, [module, path]);
      if (path !== common) return;
      const create: unknown = module.exports?.createBenchmark;
      if (typeof create !== 'function') return;
      module.exports.createBenchmark = (...parameters: unknown[]) => {
        created++;
        let benchmark: unknown;
        // This runs after the body of the script, and before the next step of the benchmark.
        process.nextTick(() => {
          if (created > 1) unplannable('it calls createBenchmark more than once');
          else planCaptured(benchmark, parameters[1], parameters[2]);
        });
        benchmark = Reflect.apply(create, module.exports, parameters);
        return benchmark;
      };
    };
  }

  function planCaptured(benchmark: unknown, parameters: unknown, options: unknown): void {
    const { queue, flags, extra_options: extra, options: declared, _run } = Object(benchmark);
    if (!Array.isArray(queue) || !Array.isArray(flags) || typeof _run !== 'function') return;
    // It would execute setup and start the runs.
    Object(benchmark)._run = () => {};
    const { setup, teardown } = Object(options);
    plan({
      configurations: queue,
      flags: flags.filter((flag) => flag !== ''),
      extra: { ...extra },
      declared: Object.keys(Object(declared)),
      values: listedValues(Object(parameters), {}),
      setup: typeof setup === 'function' || typeof teardown === 'function',
    });
  }

  /** The values of parameters that are not numbers; with byGroups those of all groups together. */
  function listedValues(parameters: object, values: Record<string, string[]>): Record<string, string[]> {
    for (const [name, declared] of Object.entries(parameters)) {
      const list: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
      const [first] = list;
      if (typeof first === 'object' && first !== null) listedValues(first, values);
      else if (typeof first !== 'number') values[name] = [...(values[name] ?? []), ...list.map(String)];
    }
    return values;
  }

  function pretendToFork(path: unknown, ...rest: unknown[]): object {
    const args: readonly unknown[] = Array.isArray(rest[0]) ? rest[0] : [];
    const { env, execArgv }: { readonly env?: NodeJS.ProcessEnv; readonly execArgv?: readonly string[] } =
      Object(Array.isArray(rest[0]) ? rest[1] : rest[0]);
    if (String(path) !== process.mainModule?.filename || env?.['NODE_RUN_BENCHMARK_FN'] === undefined) {
      unplannable('it starts its runs itself');
    } else {
      const pairs = args.map((arg) => String(arg).split(/=(.*)/s, 2));
      const flags = execArgv?.slice(0, execArgv.length - process.execArgv.length) ?? [];
      forked.push({
        pairs: Object.fromEntries(pairs.map(([name = '', value = '']) => [name, typed(value)])),
        flags,
      });
    }
    const child = new childProcess.ChildProcess();
    setImmediate(() => {
      child.emit('exit', 0, null);
      child.emit('close', 0, null);
    });
    return child;
  }

  /** Restores the type of an argument: text in the form of a number becomes a number. */
  function typed(value: string): string | number {
    return value !== '' && String(Number(value)) === value ? Number(value) : value;
  }

  /** Prevents a script that does not use fork from starting its runs. */
  function refuseToStartItself(name: 'spawn'): void {
    const start = childProcess[name];
    Reflect.set(childProcess, name, (command: unknown, args: unknown, ...rest: unknown[]) => {
      if (Array.isArray(args) && args.includes(process.mainModule?.filename)) {
        unplannable('it starts its runs itself');
        return new childProcess.ChildProcess();
      }
      return Reflect.apply(start, childProcess, [command, args, ...rest]);
    });
  }
};
