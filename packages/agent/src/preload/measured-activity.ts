/**
 * Loaded before the benchmark into a process whose case takes turns, or may. Notes how the measured part
 * spends its time, and, in a look, which clocks it uses that go on while a process is stopped.
 * `@bench-cli/core` and the loader of Node core benchmarks find it on `globalThis`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ActivityProbe } from '@bench-cli/core/protocol';
import { hideFile, takeOrder } from '../taken-order.ts';

// A worker, which loads this file too, has no order.
const { activity: order, turns } = takeOrder();
hideFile(__filename);

/** Reading the times of all parts would take too long if each operation between hooks is a part. */
const mostParts = order?.observes === 'CPU time' ? 20 : 1000;
/** The times of threads are not read at the same moment. */
const accuracyNs = 1e6;
/** Of a shorter part, the CPU time of reading the times would be too large a share. */
const leastPartNs = 5e6;
/** A process that certainly sleeps for a larger share, or more often, is not measured by its CPU time. */
const mostSleep = 0.02;
const sleepsPerNs = 1 / 5e6;

let isMeasured = false;
let calls = 0;
const clocks = new Set<string>();
/** @param clock the name of a clock that goes on while the process is stopped */
const note = (clock?: string) => {
  if (!isMeasured) return;
  calls++;
  if (clock !== undefined) clocks.add(clock);
};

type AnyFunction = (...args: never) => unknown;
const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';
const noticed = <Fn extends AnyFunction>(fn: Fn, clock?: string): Fn =>
  new Proxy(fn, {
    apply(target, self, args) {
      note(clock);
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget) {
      note(args.length === 0 ? clock : undefined);
      return Reflect.construct(target, args, newTarget);
    },
  });
const replace = (owner: object, name: string, value: unknown) =>
  Reflect.defineProperty(owner, name, { value, configurable: true, writable: true });
const notice = (owner: unknown, names: readonly string[], clock?: string) => {
  for (const name of names) {
    const fn: unknown = Reflect.get(Object(owner), name);
    if (isFunction(fn)) replace(Object(owner), name, noticed(fn, clock));
  }
};

const watchClocks = () => {
  const promises: unknown = require('node:timers/promises');
  for (const owner of [globalThis, require('node:timers'), promises])
    notice(owner, ['setTimeout', 'setInterval'], 'timers');
  notice(Reflect.get(Object(promises), 'scheduler'), ['wait'], 'timers');
  notice(AbortSignal, ['timeout'], 'timers');
  notice(Date, ['now'], 'Date');
  notice(globalThis, ['Date'], 'Date');
  Reflect.set(Date.prototype, 'constructor', Date);
  const now: unknown = Reflect.get(Object(Reflect.get(globalThis, 'Temporal')), 'Now');
  notice(now, Object.getOwnPropertyNames(Object(now)), 'Temporal.Now');
  notice(process, ['uptime'], 'process.uptime()');
  for (const name of ['mark', 'measure', 'eventLoopUtilization'])
    notice(performance, [name], `performance.${name}()`);
  const { timerify } = performance;
  const timed = (...args: Parameters<typeof timerify>) =>
    noticed(Reflect.apply(timerify, performance, args), 'performance.timerify()');
  if (isFunction(timerify)) replace(performance, 'timerify', timed);
  const timeStamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  if (timeStamp?.get !== undefined) {
    const get = noticed(timeStamp.get, 'Event.timeStamp');
    Reflect.defineProperty(Event.prototype, 'timeStamp', { ...timeStamp, get });
  }
  const { createHistogram }: Partial<typeof import('node:perf_hooks')> = require('node:perf_hooks');
  if (isNode) notice(Object.getPrototypeOf(createHistogram?.()), ['recordDelta'], 'recordDelta()');
  // These clocks stand still.
  notice(process.hrtime, ['bigint']);
  notice(process, ['hrtime']);
  notice(performance, ['now']);
  notice(Reflect.get(globalThis, 'Bun'), ['nanoseconds']);
};

// Bun and Deno report some times in other units, or have functions that do nothing.
const isNode = !('Deno' in globalThis) && !('Bun' in globalThis);
if (order !== undefined) {
  const isLook = order.observes !== 'CPU time';
  const nowNs = process.hrtime.bigint.bind(process.hrtime);
  /** Empty for a thread that has ended. */
  const timesOf = (thread: string) => {
    try {
      return readFileSync(`${order.threads}/${thread}/schedstat`, 'latin1').split(' ').map(Number);
    } catch {
      return [];
    }
  };
  const mainThread = String(process.pid);
  /** The threads beside the main one that compile and collect garbage. The benchmark starts all others. */
  const helpers = readdirSync(order.threads).filter((thread) => thread !== mainThread);
  /** The sum of their times, 0 for those run and 1 for those waited for a CPU, nanoseconds. */
  const ofHelpersNs = (which: 0 | 1) => helpers.reduce((sum, each) => sum + (timesOf(each)[which] ?? 0), 0);
  /** How often the main thread slept. For the kernel, a stop is a sleep. */
  const sleepsNow = () => {
    const status = readFileSync(`${order.threads}/${mainThread}/status`, 'latin1');
    const stops = turns === undefined ? 0 : Number(readFileSync(turns).readBigInt64LE(8));
    return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]) - stops;
  };
  /** CPU time of all threads. The call makes the kernel update the time of this thread. */
  const cpuNowNs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1e3;
  };
  const timesNow = () => {
    const cpuNs = cpuNowNs();
    const [ranNs = 0, waitedNs = 0] = timesOf(mainThread);
    const isAllNoted = isNode && isLook;
    return {
      ...{ ranNs, waitedNs, sleeps: sleepsNow() },
      othersNs: isAllNoted ? cpuNs - ranNs - ofHelpersNs(0) : 0,
      loopIdleNs: isAllNoted ? performance.eventLoopUtilization().idle * 1e6 : 0,
    };
  };
  const gcProfiler = () => {
    const { GCProfiler }: typeof import('node:v8') = require('node:v8');
    return new GCProfiler();
  };
  const profiler = isNode && order.observes === 'clocks and collections' ? gcProfiler() : undefined;

  let parts = 0;
  const nothing = { elapsedNs: 0, cpuNs: 0, sleeps: 0, idleNs: 0, waitedNs: 0, othersNs: 0, collectedNs: 0 };
  let sums = { ...nothing };
  const startNow = () => ({ ...timesNow(), cpuNs: cpuNowNs(), ns: nowNs() });
  let began: ReturnType<typeof startNow> | undefined;
  let heapBytes = 0;
  const probe: ActivityProbe = {
    nowNs,
    cpuNowNs: turns === undefined ? undefined : cpuNowNs,
    begin() {
      if (++parts > mostParts) return;
      profiler?.start();
      began = startNow();
      isMeasured = true;
    },
    end() {
      if (!isMeasured || began === undefined) return;
      isMeasured = false;
      const start = began;
      const elapsedNs = Number(nowNs() - start.ns);
      const cpuNs = cpuNowNs() - start.cpuNs;
      const ended = timesNow();
      const since = (name: keyof typeof ended) => ended[name] - start[name];
      if (isLook) heapBytes = process.memoryUsage().heapUsed;
      // On a busy machine, a process that was stopped still waits for a CPU, to take note of that.
      const notSleptNs = since('ranNs') + (turns === undefined ? since('waitedNs') : 0);
      // What looks like sleep without one is time that a virtual machine lacks its CPU.
      const sleptNs = since('sleeps') > 0 ? Math.max(0, elapsedNs - notSleptNs) : 0;
      // While other threads collect garbage, the main thread sleeps, but is not idle.
      const collectedNs = (profiler?.stop()?.statistics ?? []).reduce((sum, { cost }) => sum + cost * 1e3, 0);
      const collectingNs = Math.min(collectedNs, sleptNs - since('loopIdleNs'));
      sums.elapsedNs += elapsedNs;
      sums.cpuNs += cpuNs;
      sums.sleeps += since('sleeps');
      sums.collectedNs += collectedNs;
      sums.idleNs += sleptNs - Math.max(0, collectingNs);
      sums.waitedNs += since('waitedNs');
      sums.othersNs += since('othersNs');
    },
    forget() {
      parts = calls = 0;
      sums = { ...nothing };
    },
  };
  Reflect.set(globalThis, Symbol.for('bench-cli.activity'), probe);
  process.once('exit', () => {
    const { elapsedNs, cpuNs, sleeps, idleNs, waitedNs, othersNs, collectedNs } = sums;
    // At least: while the main thread waits for a helper, that one runs, or waits for a CPU, as it did before
    // the measured part.
    const sleptNs = sleeps > 0 ? elapsedNs - cpuNs - waitedNs - ofHelpersNs(1) : 0;
    const isWhole = parts > 0 && parts <= mostParts && elapsedNs >= parts * leastPartNs;
    const hasCpu = isWhole && sleptNs <= mostSleep * elapsedNs && sleeps <= elapsedNs * sleepsPerNs;
    const cpu = hasCpu ? { cpu: cpuNs / elapsedNs } : {};
    const looked = {
      ...(elapsedNs > 0 && {
        busy: 1 - idleNs / elapsedNs,
        waitedForCpu: turns === undefined ? waitedNs / elapsedNs : 0,
        otherThreads: Math.max(0, othersNs - accuracyNs) / elapsedNs,
        clockCallsPerMs: calls / (elapsedNs / 1e6),
        ...(profiler && { collecting: collectedNs / elapsedNs }),
      }),
      ...(clocks.size > 0 && { clocks: [...clocks].sort() }),
      heapBytes,
    };
    writeFileSync(order.file, JSON.stringify(isLook ? { ...cpu, ...looked } : cpu));
  });
  if (isLook) watchClocks();
}
