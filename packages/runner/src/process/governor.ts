import { UsageError } from '@bench-cli/results';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The frequency governors of the CPUs, which Linux shows below /sys. */

export interface Governor {
  /** Counts from 0. */
  readonly cpu: number;
  readonly governor: string;
}

/** The governor that keeps a CPU at its highest frequency. */
export const fastGovernor = 'performance';

const systemRoot = '/sys/devices/system/cpu';

/**
 * The governor of every CPU.
 * @throws UsageError where the system shows none
 */
export function readGovernors(root = systemRoot): readonly Governor[] {
  return cpusOf(root).map((cpu) => ({
    cpu,
    governor: readFileSync(file(root, cpu, 'scaling_governor'), 'utf8').trim(),
  }));
}

/** The governor that Linux distributions use by themselves: the first of the usual ones that this system has. */
export function usualGovernor(root = systemRoot): string {
  const [first = 0] = cpusOf(root);
  const available = readFileSync(file(root, first, 'scaling_available_governors'), 'utf8')
    .trim()
    .split(/\s+/);
  return (
    ['schedutil', 'ondemand', 'conservative', 'powersave'].find((name) => available.includes(name)) ??
    'powersave'
  );
}

/**
 * Sets the governor of every CPU.
 * @throws UsageError where there are none, without the right to write them, and for one that the system does not have
 */
export function setGovernor(governor: string, root = systemRoot): void {
  for (const cpu of cpusOf(root)) {
    try {
      writeFileSync(file(root, cpu, 'scaling_governor'), governor);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
        throw new UsageError('ERR_BENCH_GOVERNOR', `cpu${cpu}: only root may set the governor; run it with sudo`);
      }
      throw new UsageError('ERR_BENCH_GOVERNOR', `cpu${cpu}: the governor cannot be set to ${governor} (${String(code)})`);
    }
  }
}

function cpusOf(root: string): readonly number[] {
  const cpus = !existsSync(root)
    ? []
    : readdirSync(root)
        .filter((name) => /^cpu\d+$/.test(name))
        .map((name) => Number(name.slice(3)))
        .filter((cpu) => existsSync(file(root, cpu, 'scaling_governor')))
        .sort((a, b) => a - b);
  if (cpus.length > 0) return cpus;
  throw new UsageError('ERR_BENCH_GOVERNOR', 
    process.platform === 'linux'
      ? 'this machine shows no frequency governors, as is usual in virtual machines and containers; set them on its host'
      : 'only Linux has frequency governors that can be set',
  );
}

function file(root: string, cpu: number, name: string): string {
  return join(root, `cpu${cpu}`, 'cpufreq', name);
}
