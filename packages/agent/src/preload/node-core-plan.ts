import type { ToolCheck } from '../order.ts';

/** Finds the configurations of a Node core benchmark by capturing the arguments of `createBenchmark`. */
export default function preparePlan(
  wrapCreate: (make: (create: () => object, parameters: readonly unknown[]) => object) => void,
  checks: readonly ToolCheck[],
): void {
  const childProcess: typeof import('node:child_process') = require('node:child_process');

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
  wrapCreate((create, [, parameters, options]) => {
    created++;
    let benchmark: unknown;
    // The tick comes after the body of the script, and before the next step of the benchmark.
    process.nextTick(() => {
      if (created > 1) unplannable('it calls createBenchmark more than once');
      else planCaptured(benchmark, parameters, options);
    });
    benchmark = create();
    return Object(benchmark);
  });
  refuseToStart('fork', () => true);
  refuseToStart('spawn', (args) => Array.isArray(args) && args.includes(process.mainModule?.filename));
  process.once('beforeExit', () => {
    // A file that only exports code for others reports nothing, and is skipped.
    if (reported || created > 0) unplannable('it does not call createBenchmark');
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

  function planCaptured(benchmark: unknown, parameters: unknown, options: unknown): void {
    const { queue, flags, extra_options: extra, options: declared, _run } = Object(benchmark);
    if (!Array.isArray(queue) || !Array.isArray(flags) || typeof _run !== 'function') {
      unplannable('its common.js has an unknown form');
      return;
    }
    for (const [name, value] of queue.flatMap((each) => Object.entries(each)))
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new RangeError(`${name}=${value} is invalid: the parameter ${name} takes finite numbers`);
    // This method would execute setup and start the runs.
    Object(benchmark)._run = () => {};
    const { setup, teardown } = Object(options);
    const isHeld = typeof setup === 'function' || typeof teardown === 'function';
    answer({
      type: 'plan',
      configurations: queue,
      extra: { ...extra },
      flags: flags.filter((flag) => flag !== ''),
      parameters: [...new Set([...Object.keys(Object(declared)), ...queue.flatMap(Object.keys)])],
      values: Object.fromEntries(listedValues(Object(parameters))),
      setup: isHeld,
      teardown: isHeld,
    });
  }

  /** The values of parameters that are not numbers; with byGroups, of all groups together. */
  function listedValues(parameters: object, values: Map<string, string[]> = new Map()) {
    for (const [name, declared] of Object.entries(parameters)) {
      const list: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
      const [first] = list;
      if (typeof first === 'object' && first !== null) listedValues(first, values);
      else if (typeof first !== 'number')
        values.set(name, [...(values.get(name) ?? []), ...list.map(String)]);
    }
    return values;
  }

  /** Prevents a script that does not use `createBenchmark` from starting its runs. */
  function refuseToStart(name: 'fork' | 'spawn', isRun: (args: unknown) => boolean): void {
    const start = childProcess[name];
    Reflect.set(childProcess, name, (command: unknown, args: unknown, ...rest: unknown[]) => {
      if (!isRun(args)) return Reflect.apply(start, childProcess, [command, args, ...rest]);
      unplannable('it starts its runs itself');
      return new childProcess.ChildProcess();
    });
  }
}
