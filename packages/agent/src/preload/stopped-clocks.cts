/**
 * Loaded before the benchmark into a process that runs in turns with others: its clocks stand still while it is stopped, so that whatever it
 * measures or ends by a clock counts the time in which it ran. Without a file with that time, it tells how busy its main thread is.
 */
{
  const { openSync, readSync, readFileSync, writeFileSync }: typeof import('node:fs') = require('node:fs');
  type Order = import('../order.ts', { with: { 'resolution-mode': 'import' }}).TurnsOrder;
  const threads: typeof import('node:worker_threads') = require('node:worker_threads');
  // A worker loads this file too. It is stopped with its process, of whose main thread the activity is that of the process.
  const order: Order = threads.isMainThread
    ? JSON.parse(process.env['BENCH_CLI_TURNS'] ?? '')
    : (threads.getEnvironmentData('BENCH_CLI_TURNS') ?? { task: 'none' });
  delete process.env['BENCH_CLI_TURNS'];
  delete require.cache[__filename];
  const at = process.execArgv.indexOf(__filename);
  if (at > 0) process.execArgv.splice(at - 1, 2);

  const isDeno = 'Deno' in globalThis;
  // Bun has it in the object itself.
  const owner = Object.hasOwn(performance, 'now') ? performance : Object.getPrototypeOf(performance);
  const replaceNow = (value: () => number) =>
    Object.defineProperty(owner, 'now', {
      value,
      configurable: true,
      writable: true,
    });

  if (order.task === 'run') {
    threads.setEnvironmentData('BENCH_CLI_TURNS', order);
    const descriptor = openSync(order.file, 'r');
    const bytes = Buffer.alloc(8);
    const stoppedSoFar = () => {
      readSync(descriptor, bytes, 0, 8, 0);
      return bytes.readBigInt64LE();
    };
    /** Nanoseconds. Numbers in arrays: an object that outlives a reading would make collections of garbage slower, those of Node.js 26 by a sixth. */
    const stoppedNs = new BigInt64Array([stoppedSoFar()]);
    const stoppedMs = new Float64Array([Number(stoppedNs[0]) / 1e6]);
    /** Reads a clock when it may have been stopped since its last reading. */
    const readAgain = <Time,>(clock: () => Time): Time => {
      for (;;) {
        const before = stoppedSoFar();
        const time = clock();
        if (stoppedSoFar() !== before) continue;
        stoppedNs[0] = before;
        stoppedMs[0] = Number(before) / 1e6;
        return time;
      }
    };
    /** A shorter time between two readings contains no stop, milliseconds. */
    const shortestStopMs = 5;
    // One clock can read the other, which is replaced: in Node.js 18 performance.now() reads process.hrtime(), and in Deno the other way round.
    const { hrtime: systemHrtime } = process;
    let readsHrtime = false;
    process.hrtime = Object.assign(
      () => {
        readsHrtime = true;
        return systemHrtime();
      },
      { bigint: systemHrtime.bigint },
    );
    const performanceNow = performance.now.bind(performance);
    const zeroMs = Number(systemHrtime.bigint()) / 1e6 - performanceNow();
    const systemBigint = isDeno
      ? () => BigInt(Math.round(performanceNow() * 1e6))
      : systemHrtime.bigint.bind(systemHrtime);
    const systemNow = readsHrtime ? () => Number(systemBigint()) / 1e6 - zeroMs : performanceNow;
    const lastMs = new Float64Array(1);
    const now = () => {
      let timeMs = systemNow();
      if (timeMs - (lastMs[0] ?? 0) >= shortestStopMs) timeMs = readAgain(systemNow);
      lastMs[0] = timeMs;
      return timeMs - (stoppedMs[0] ?? 0);
    };
    const lastNs = new Float64Array(1);
    const bigint = () => {
      let timeNs = systemBigint();
      if (Number(timeNs) - (lastNs[0] ?? 0) >= shortestStopMs * 1e6) timeNs = readAgain(systemBigint);
      lastNs[0] = Number(timeNs);
      return timeNs - (stoppedNs[0] ?? 0n);
    };
    // Code that is optimized for readings without a stop would be thrown away at the first stop.
    for (let reading = 0; reading < 32; reading++) {
      lastMs[0] = lastNs[0] = Number.NEGATIVE_INFINITY;
      now();
      bigint();
    }
    const hrtime = (former?: readonly [number, number]): [number, number] => {
      const ns =
        bigint() - (former === undefined ? 0n : BigInt(former[0]) * 1_000_000_000n + BigInt(former[1]));
      return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
    };
    process.hrtime = Object.assign(hrtime, { bigint });
    replaceNow(now);
    const bun: unknown = Reflect.get(globalThis, 'Bun');
    if (typeof bun === 'object' && bun !== null) Reflect.set(bun, 'nanoseconds', () => Number(bigint()));
  } else if (order.task === 'look') {
    const { file, scheduling } = order;
    /** Of the main thread: nanoseconds on a CPU, and waiting for one. */
    const busyNs = () => {
      const [ran = 0, waited = 0] = readFileSync(scheduling, 'latin1').split(' ').map(Number);
      return ran + waited;
    };
    const { hrtime } = process;
    const { bigint } = hrtime;
    // Bun and Deno tell neither in the units of Node.js, and some of their releases have only the names.
    const isNode = !isDeno && !('Bun' in globalThis);
    const loopIdleNs = () => (isNode ? performance.eventLoopUtilization().idle * 1e6 : 0);
    const stateNow = () => ({ ns: bigint(), busyNs: busyNs(), loopIdleNs: loopIdleNs() });
    const { GCProfiler }: typeof import('node:v8') = require('node:v8');
    const profiler = isNode ? new GCProfiler() : undefined;
    let begin = stateNow();
    let isBegun = false;
    /** Measurements begin with a reading of a clock. Until then, the process waits for the files of modules. */
    const beginNow = () => {
      if (isBegun) return;
      isBegun = true;
      profiler?.start();
      begin = stateNow();
    };
    process.hrtime = Object.assign(
      (former?: [number, number]) => {
        beginNow();
        return hrtime(former);
      },
      {
        bigint: () => {
          beginNow();
          return bigint();
        },
      },
    );
    const { now } = performance;
    replaceNow(() => {
      beginNow();
      return now.call(performance);
    });
    process.once('exit', () => {
      const elapsedNs = Number(bigint() - begin.ns);
      const sleptNs = elapsedNs - (busyNs() - begin.busyNs);
      const { heapUsed } = process.memoryUsage();
      // The main thread sleeps while threads collect garbage, which wait for a CPU on a busy machine. It does not wait for anything else then.
      const collectedNs = (profiler?.stop()?.statistics ?? []).reduce((sum, { cost }) => sum + cost * 1e3, 0);
      const collectingNs = Math.min(collectedNs, sleptNs - (loopIdleNs() - begin.loopIdleNs));
      const busy = 1 - (sleptNs - Math.max(0, collectingNs)) / elapsedNs;
      writeFileSync(file, JSON.stringify({ busy, heapBytes: heapUsed }));
    });
  }
}
