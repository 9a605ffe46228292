import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { counted } from '@bench-cli/results';
import type { Environment } from '@bench-cli/results/recording';
import { firstGovernor } from './governor.ts';

/** Describes the machine on which this process runs. */
export function readEnvironment(): Environment {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: availableParallelism(),
    os: `${platform()} ${release()}`,
    memoryBytes: totalmem(),
    governor: firstGovernor() ?? null,
    load: loadavg()[0] ?? 0,
    node: process.versions.node,
  };
}

/** The properties of a machine that results depend on: results of machines with different texts are not comparable. */
export function machineText({ cpu, cpus }: Environment): string {
  return `${cpu} with ${counted(cpus, 'CPU')}`;
}
