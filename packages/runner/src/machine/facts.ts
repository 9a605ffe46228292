import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { ownCpus, physicalCores } from '@bench-cli/benchmarkers/system';
import { readText, type SystemRoots, systemRoots } from './counters.ts';
import { firstGovernor } from './governor.ts';
import { jobSets } from './jobs.ts';

/** What does not change while a session runs. Undefined is what the system does not tell. */
export interface MachineFacts {
  /** How many CPUs the machine has. */
  readonly cpus: number;
  /** How many CPUs this process may use, how many physical cores these are, and how many jobs `--jobs auto` makes of them. */
  readonly usable: { readonly cpus: number; readonly cores: number; readonly jobs: number };
  /** The load average of the last minute. */
  readonly load: number;
  readonly governor?: string | undefined;
  /** Whether CPUs may run faster than their nominal frequency. */
  readonly turbo?: boolean | undefined;
  /** Whether cores have several hyper-threads. */
  readonly hyperThreads?: boolean | undefined;
  readonly isVirtual?: boolean | undefined;
  /** The CPU time that a control group may use, in CPUs. */
  readonly quotaCpus?: number | undefined;
  /** Whether the system counts how often CPUs are slowed down because of their temperature. */
  readonly countsThrottles: boolean;
  /** Bytes of swap space in use. */
  readonly swapBytes?: number | undefined;
}

export function readFacts({ proc, sys }: SystemRoots = systemRoots): MachineFacts {
  const cpu = join(sys, 'devices/system/cpu');
  const info = readText(join(proc, 'cpuinfo'));
  const usable = ownCpus();
  const cores = physicalCores(usable, cpu);
  return {
    cpus: Math.max(1, info.match(/^processor\s*:/gm)?.length ?? usable.size),
    usable: {
      cpus: usable.size,
      cores: cores.length,
      jobs: jobSets('auto', undefined, cores)?.length ?? 1,
    },
    load: loadavg()[0] ?? 0,
    governor: firstGovernor(cpu),
    turbo: turboOf(cpu),
    hyperThreads: flagOf(readText(join(cpu, 'smt/active'))),
    isVirtual: info === '' ? undefined : /^(?:flags|Features)\s*:.*\bhypervisor\b/m.test(info),
    quotaCpus: quotaOf(sys),
    countsThrottles: existsSync(join(cpu, 'cpu0/thermal_throttle')),
    swapBytes: swapOf(readText(join(proc, 'swaps'))),
  };
}

function turboOf(cpu: string): boolean | undefined {
  const isOff = flagOf(readText(join(cpu, 'intel_pstate/no_turbo')));
  return isOff === undefined ? flagOf(readText(join(cpu, 'cpufreq/boost'))) : !isOff;
}

function flagOf(text: string): boolean | undefined {
  return text.trim() === '' ? undefined : text.trim() === '1';
}

function quotaOf(sys: string): number | undefined {
  const [, quota, period] = /^(\d+) (\d+)/.exec(readText(join(sys, 'fs/cgroup/cpu.max'))) ?? [];
  if (quota !== undefined) return Number(quota) / Number(period);
  const older = ['quota', 'period'].map((name) =>
    Number(readText(join(sys, `fs/cgroup/cpu/cpu.cfs_${name}_us`))),
  );
  const [olderQuota = 0, olderPeriod = 0] = older;
  return olderQuota > 0 && olderPeriod > 0 ? olderQuota / olderPeriod : undefined;
}

/** The fourth column has kibibytes in use. */
function swapOf(swaps: string): number | undefined {
  if (swaps === '') return undefined;
  const used = swaps
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(/\s+/)[3] ?? 0));
  return 1024 * used.reduce((sum, each) => sum + each, 0);
}
