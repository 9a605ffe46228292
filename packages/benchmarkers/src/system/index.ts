/**
 * What the load tools and the runner need from the operating system: programs on the PATH, sets of CPUs, and processes that
 * carry a mark. It is not part of the interface for benchmarkers.
 *
 * @packageDocumentation
 */
export { ownCpus, physicalCores } from './cores.ts';
export { cpuSetProblem, readCpuSet } from './cpu-set.ts';
export {
  type Belongs,
  findProcesses,
  killProcesses,
  processIds,
  programOf,
  readProcFile,
} from './processes.ts';
export { findProgram } from './program.ts';
