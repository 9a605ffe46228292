import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { Environment } from '@bench-cli/results/recording';

const governorFile = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor';

/** Looks at the machine. */
export function readEnvironment(): Environment {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: availableParallelism(),
    os: `${platform()} ${release()}`,
    memoryBytes: totalmem(),
    governor: existsSync(governorFile) ? readFileSync(governorFile, 'utf8').trim() : null,
    load: loadavg()[0] ?? 0,
    node: process.versions.node,
  };
}

/** The machine in a few words; what is measured on machines that differ in them is not comparable. */
export function machineText({ cpu, cpus }: Environment): string {
  return `${cpu} with ${cpus} CPU${cpus === 1 ? '' : 's'}`;
}
