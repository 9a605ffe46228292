/**
 * What the load tools and the runner need from the operating system: programs on the PATH, sets of CPUs, and processes that
 * carry a mark. It is not part of the interface for benchmarkers.
 *
 * @packageDocumentation
 */
export { ownCpus, physicalCores } from './cores.ts';
export { cpuSetProblem, readCpuSet } from './cpu-set.ts';
export { orElse } from './or-else.ts';
export {
  type Belongs,
  cpuSecondsIn,
  findProcesses,
  killProcesses,
  processIds,
  programOf,
  readProcFile,
  readSystemFile,
  statusFields,
  ticksPerSecond,
} from './processes.ts';
export { findProgram } from './program.ts';
