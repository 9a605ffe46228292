/**
 * Operating system features for load tools and the runner: the interface `Platform` for differences between
 * systems, programs on the PATH, JSON files, sets of CPUs, CPU time, and marked processes. This package does
 * not know benchmarks or HTTP.
 * @packageDocumentation
 */
export { cpuShortage } from './cpu-shortage.ts';
export { idleSeconds, serversOn, threadSeconds } from './cpu-time.ts';
export { allowedCpus, cpuSetProblem, physicalCores, readCpuSet } from './cpus.ts';
export {
  childCpuMs,
  coredumpFilterOf,
  OWN_THREADS,
  readProcFile,
  readSystemFile,
  setCoredumpFilter,
  statusFields,
  systemRoots,
  ticksPerSecond,
} from './linux.ts';
export { parseJson, propertyIn, requiredBy } from './parse-json.ts';
export { isDirectory, isFile } from './path-kind.ts';
export { orElse, type Platform, type ProcessList } from './platform.ts';
export * from './processes.ts';
export { askProgram, findProgram } from './program.ts';
