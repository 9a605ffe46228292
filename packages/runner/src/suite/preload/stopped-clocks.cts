/**
 * Loaded with --require into a process that runs in turns with others: its clocks stand still while it is stopped, so that whatever it
 * measures or ends by a clock counts the time in which it ran. Without a file with that time, it tells how busy its main thread is.
 */
{
  const { openSync, readSync, readFileSync, writeFileSync }: typeof import('node:fs') = require('node:fs');
  type Order = import('../../order.ts', { with: { 'resolution-mode': 'import' }}).TurnsOrder;
  const threads: typeof import('node:worker_threads') = require('node:worker_threads');
  // A worker loads this file too. It is stopped with its process, of whose main thread the activity is that of the process.
  const order: Order = threads.isMainThread
    ? JSON.parse(process.env['BENCH_CLI_TURNS'] ?? '')
    : (threads.getEnvironmentData('BENCH_CLI_TURNS') ?? { task: 'none' });
  delete process.env['BENCH_CLI_TURNS'];
  delete require.cache[__filename];
  const at = process.execArgv.indexOf(__filename);
  if (at > 0) process.execArgv.splice(at - 1, 2);

  const replaceNow = (value: () => number) =>
    Object.defineProperty(Object.getPrototypeOf(performance), 'now', {
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
      return bytes.readBigUInt64LE();
    };
    const clock = process.hrtime.bigint.bind(process.hrtime);
    /** A shorter time between two readings contains no stop, nanoseconds. */
    const shortestStopNs = 5_000_000n;
    let stoppedNs = stoppedSoFar();
    let lastNs = 0n;
    const now = () => {
      let timeNs = clock();
      if (timeNs - lastNs >= shortestStopNs) {
        for (;;) {
          stoppedNs = stoppedSoFar();
          timeNs = clock();
          if (stoppedSoFar() === stoppedNs) break;
        }
      }
      lastNs = timeNs;
      return timeNs - stoppedNs;
    };
    const hrtime = (former?: readonly [number, number]): [number, number] => {
      const ns = now() - (former === undefined ? 0n : BigInt(former[0]) * 1_000_000_000n + BigInt(former[1]));
      return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
    };
    process.hrtime = Object.assign(hrtime, { bigint: now });
    const { now: systemNow } = performance;
    // Whatever its own zero is.
    const zeroMs = Number(clock()) / 1e6 - systemNow.call(performance);
    replaceNow(() => Number(now()) / 1e6 - zeroMs);
  } else if (order.task === 'look') {
    const { file, scheduling } = order;
    /** Of the main thread: nanoseconds on a CPU, and waiting for one. */
    const busyNs = () => {
      const [ran = 0, waited = 0] = readFileSync(scheduling, 'latin1').split(' ').map(Number);
      return ran + waited;
    };
    const { hrtime } = process;
    const { bigint } = hrtime;
    const loopIdleNs = () => performance.eventLoopUtilization().idle * 1e6;
    const stateNow = () => ({ ns: bigint(), busyNs: busyNs(), loopIdleNs: loopIdleNs() });
    const { GCProfiler }: typeof import('node:v8') = require('node:v8');
    const profiler = new GCProfiler();
    let begin = stateNow();
    let isBegun = false;
    /** Measurements begin with a reading of a clock. Until then, the process waits for the files of modules. */
    const beginNow = () => {
      if (isBegun) return;
      isBegun = true;
      profiler.start();
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
      const collectedNs = (profiler.stop()?.statistics ?? []).reduce((sum, { cost }) => sum + cost * 1e3, 0);
      const collectingNs = Math.min(collectedNs, sleptNs - (loopIdleNs() - begin.loopIdleNs));
      const busy = 1 - (sleptNs - Math.max(0, collectingNs)) / elapsedNs;
      writeFileSync(file, JSON.stringify({ busy, heapBytes: heapUsed }));
    });
  }
}
