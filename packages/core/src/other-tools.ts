/**
 * Functions for benchmark files of other tools. For the packages of this repository only.
 *
 * @packageDocumentation
 */
export { coarseStep, nowNs } from './clock.ts';
export { BenchmarkError, describe, reportUncaught } from './error.ts';
export { endInGrace, leaveAtOnce } from './leaving.ts';
export { isThenable, type Measurement, measure, type TaskOptions } from './measure.ts';
export { secondsOf } from './output.ts';
export { activity, probe } from './process-probe.ts';
