/**
 * Loaded before the benchmark into a process that takes turns with others. Its clocks stand still while the
 * process is stopped, so that they count only the time in which it ran.
 */
import { openSync, readSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { hideFile, takeOrder } from '../taken-order.ts';

// A worker loads this file too, and is stopped with its process.
const file = takeOrder().turns ?? String(getEnvironmentData('bench-cli turns'));
hideFile(__filename);

const isDeno = 'Deno' in globalThis;
// In Bun, now() is a property of the object itself.
const owner = Object.hasOwn(performance, 'now') ? performance : Object.getPrototypeOf(performance);
const replaceNow = (value: () => number) =>
  Object.defineProperty(owner, 'now', { value, configurable: true, writable: true });

setEnvironmentData('bench-cli turns', file);
const descriptor = openSync(file, 'r');
const bytes = Buffer.alloc(8);
const stoppedSoFar = () => {
  readSync(descriptor, bytes, 0, 8, 0);
  return bytes.readBigInt64LE();
};
/** Nanoseconds. An object per reading would make garbage collection slower, in Node.js 26 by a sixth. */
const stoppedNs = new BigInt64Array([stoppedSoFar()]);
const stoppedMs = new Float64Array([Number(stoppedNs[0]) / 1e6]);
/** Reads a clock that may have been stopped since its last reading. */
const readAgain = <Time>(clock: () => Time): Time => {
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
// In Node.js 18, performance.now() reads process.hrtime(); in Deno, hrtime() reads now().
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
// Otherwise V8 optimizes for readings without a stop, and throws the code away at the first stop.
for (let reading = 0; reading < 32; reading++) {
  lastMs[0] = lastNs[0] = Number.NEGATIVE_INFINITY;
  now();
  bigint();
}
const hrtime = (former?: readonly [number, number]): [number, number] => {
  const ns = bigint() - (former === undefined ? 0n : BigInt(former[0]) * 1_000_000_000n + BigInt(former[1]));
  return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
};
process.hrtime = Object.assign(hrtime, { bigint });
replaceNow(now);
const bun: unknown = Reflect.get(globalThis, 'Bun');
if (typeof bun === 'object' && bun !== null) Reflect.set(bun, 'nanoseconds', () => Number(bigint()));
