/**
 * What the load tools and the runner need from the operating system: what differs between systems, behind the interface `Platform`;
 * programs on the PATH, JSON files, sets of CPUs, CPU time, and processes that carry a mark.
 *
 * It knows nothing about benchmarks or HTTP.
 *
 * @packageDocumentation
 */
export { cpuShortage } from './cpu-shortage.ts';
export { idleSeconds, serversOn, threadSeconds } from './cpu-time.ts';
export { allowedCpus, cpuSetProblem, ownCpus, physicalCores, readCpuSet } from './cpus.ts';
export {
  childCpuMs,
  coredumpFilterOf,
  cpuSecondsIn,
  OWN_SCHEDULING,
  readProcFile,
  readSystemFile,
  setCoredumpFilter,
  statusFields,
  systemRoots,
  ticksPerSecond,
} from './linux.ts';
export { parseJson, propertyIn } from './parse-json.ts';
export { orElse, type Platform, type ProcessList } from './platform.ts';
export {
  type Belongs,
  findProcesses,
  killProcesses,
  platform,
  platformOf,
  visibleProcesses,
} from './processes.ts';
export { askProgram, findProgram } from './program.ts';
