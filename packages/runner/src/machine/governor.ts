import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@bench-cli/results';

/** The frequency governor of a CPU. Linux has them below /sys. */
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
 * @throws UsageError if the system has none
 */
export function readGovernors(root = systemRoot): readonly Governor[] {
  return cpusOf(root).map((cpu) => ({
    cpu,
    governor: readFileSync(file(root, cpu, 'scaling_governor'), 'utf8').trim(),
  }));
}

/** The governor of the first CPU; undefined if the system does not show it. */
export function firstGovernor(root = systemRoot): string | undefined {
  const path = file(root, 0, 'scaling_governor');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

/** The default governor of Linux distributions: the first of the common ones that this system has. */
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
 * @throws UsageError if the system has no governors, if they are not writable, or if it does not know this one
 */
export function setGovernor(governor: string, root = systemRoot): void {
  for (const cpu of cpusOf(root)) {
    try {
      writeFileSync(file(root, cpu, 'scaling_governor'), governor);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
        throw new UsageError(
          'ERR_BENCH_PERMISSION',
          `cpu${cpu}: only root can set the governor: run the command with sudo`,
        );
      }
      throw new UsageError(
        'ERR_BENCH_GOVERNOR',
        `cpu${cpu}: the system refused the governor "${governor}" (${String(code)}): choose one from its scaling_available_governors`,
      );
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
  if (process.platform !== 'linux') {
    throw new UsageError('ERR_BENCH_PLATFORM', 'frequency governors require Linux');
  }
  throw new UsageError(
    'ERR_BENCH_GOVERNOR',
    `no frequency governors in ${root}, as usual in virtual machines and containers: set them on the host`,
  );
}

function file(root: string, cpu: number, name: string): string {
  return join(root, `cpu${cpu}`, 'cpufreq', name);
}
