import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import { orElse, readSystemFile, systemRoots } from '@bench-cli/system';

/** The governor that keeps a CPU at its highest frequency. */
export const fastGovernor = 'performance';

const cpuRoot = join(systemRoots.sys, 'devices/system/cpu');

/** The governor of the first CPU; undefined if the system does not show it. */
export function firstGovernor(root = cpuRoot): string | undefined {
  return readSystemFile(file(root, 0, 'scaling_governor')).trim() || undefined;
}

/**
 * Sets the governor of every CPU. Linux has them below /sys.
 * @returns the governors that the CPUs had, each once
 * @throws UsageError if the system has no governors, if they are not writable, or if it does not know this
 * one
 */
export function setGovernor(governor: string, root = cpuRoot): readonly string[] {
  const cpus = cpusOf(root);
  const former = new Set(cpus.map((cpu) => readFileSync(file(root, cpu, 'scaling_governor'), 'utf8').trim()));
  for (const cpu of cpus) {
    try {
      writeFileSync(file(root, cpu, 'scaling_governor'), governor);
    } catch (error) {
      const { code } = Object(error);
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
        const problem = `cpu${cpu}: only root can set the governor: run the command with sudo`;
        throw new UsageError('ERR_BENCH_PERMISSION', problem);
      }
      const problem = `cpu${cpu}: the system refused the governor "${governor}" (${String(code)}): choose one from its scaling_available_governors`;
      throw new UsageError('ERR_BENCH_GOVERNOR', problem);
    }
  }
  return [...former];
}

function cpusOf(root: string): readonly number[] {
  const cpus = orElse(() => readdirSync(root), [])
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => Number(name.slice(3)))
    .filter((cpu) => existsSync(file(root, cpu, 'scaling_governor')))
    .sort((a, b) => a - b);
  if (cpus.length > 0) return cpus;
  const problem = `no frequency governors in ${root}, as usual in virtual machines, containers, and on other systems than Linux: set them on the host`;
  throw new UsageError('ERR_BENCH_GOVERNOR', problem);
}

function file(root: string, cpu: number, name: string): string {
  return join(root, `cpu${cpu}`, 'cpufreq', name);
}
