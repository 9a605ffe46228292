import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { z } from 'zod';

/** The machine that results were measured on. */
export const environmentSchema = z.object({
  cpu: z.string(),
  /** How many CPUs this process may use. */
  cpus: z.number(),
  os: z.string(),
  memoryBytes: z.number(),
  /** The frequency governor of the first CPU; null where there is none to see, as in most virtual machines. */
  governor: z.string().nullable(),
  /** The load of the last minute when the session began. */
  load: z.number(),
  /** The version of Node.js that ran bench-cli itself. */
  node: z.string(),
});

export type Environment = z.infer<typeof environmentSchema>;

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
