import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { diagnose, type MachineState } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { type MachineCounters, readCounters, usageBetween } from '../src/machine/counters.ts';
import { readFacts } from '../src/machine/facts.ts';
import { driftOf, MachineWatch } from '../src/machine/watch.ts';

/** Directories as /proc and /sys. */
function system(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-machine-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const roots = { proc: join(directory, 'proc'), sys: join(directory, 'sys') };
  return { roots, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

const cpu = 'sys/devices/system/cpu';
const counters: MachineCounters = {
  atMs: 0,
  busySeconds: 0,
  stolenSeconds: 0,
  ownSeconds: 0,
  throttles: 0,
  swappedPages: 0,
  quotaSeconds: 0,
};

describe('the counters of a machine', () => {
  it('are those of the system, this process and its control group', () => {
    using of = system({
      'proc/stat': 'cpu  100 200 300 9999 50 10 20 400 0 0\ncpu0 1 2 3\n',
      'proc/self/stat': `7 (a) b) S ${Array.from({ length: 10 }, () => 0).join(' ')} 11 22 33 44 0\n`,
      'proc/vmstat': 'pgpgin 5\npswpin 12\n',
      [`${cpu}/online`]: '0-1\n',
      [`${cpu}/cpu1/thermal_throttle/core_throttle_count`]: '3\n',
      'sys/fs/cgroup/cpu.stat': 'usage_usec 5\nthrottled_usec 2500000\n',
    });
    expect(readCounters(of.roots, () => 1000)).toEqual({
      atMs: 1000,
      busySeconds: 6.3,
      stolenSeconds: 4,
      ownSeconds: 1.1,
      throttles: 3,
      swappedPages: 12,
      quotaSeconds: 2.5,
    });
  });

  it('are 0 where the system has none', () => {
    using of = system({});
    expect(readCounters(of.roots, () => 1)).toEqual({ ...counters, atMs: 1 });
  });

  it('give shares of the CPU time of all CPUs', () => {
    const later = {
      ...counters,
      atMs: 2000,
      busySeconds: 5,
      ownSeconds: 2,
      stolenSeconds: 0.8,
      throttles: 2,
    };
    expect(usageBetween(counters, later, 4)).toEqual({
      others: 0.375,
      stolen: 0.1,
      stoppedByQuota: 0,
      throttles: 2,
      swappedPages: 0,
    });
  });
});

describe('the facts about a machine', () => {
  it('are read from the system', () => {
    using of = system({
      'proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu hypervisor\nprocessor\t: 1\n',
      'proc/swaps': 'Filename Type Size Used Priority\n/swap file 4096 1024 -2\n',
      [`${cpu}/cpu0/cpufreq/scaling_governor`]: 'powersave\n',
      [`${cpu}/intel_pstate/no_turbo`]: '0\n',
      [`${cpu}/smt/active`]: '1\n',
      'sys/fs/cgroup/cpu.max': '150000 100000\n',
    });
    expect(readFacts(of.roots)).toMatchObject({
      cpus: 2,
      governor: 'powersave',
      turbo: true,
      hyperThreads: true,
      isVirtual: true,
      quotaCpus: 1.5,
      swapBytes: 1 << 20,
      countsThrottles: false,
    });
  });

  it('are undefined where the system does not tell', () => {
    using of = system({ 'sys/fs/cgroup/cpu.max': 'max 100000\n' });
    const { governor, turbo, hyperThreads, isVirtual, quotaCpus, swapBytes } = readFacts(of.roots);
    expect([governor, turbo, hyperThreads, isVirtual, quotaCpus, swapBytes]).toEqual(
      Array(6).fill(undefined),
    );
  });

  it('have the quota of older control groups', () => {
    using of = system({
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    });
    expect(readFacts(of.roots).quotaCpus).toBe(0.5);
  });
});

const quiet: MachineState = {
  facts: {
    cpus: 8,
    usable: { cpus: 8, cores: 8, jobs: 3 },
    load: 0.1,
    governor: 'performance',
    turbo: false,
    hyperThreads: false,
    isVirtual: false,
    countsThrottles: true,
    swapBytes: 0,
  },
  usage: { others: 0.01, stolen: 0, stoppedByQuota: 0, throttles: 0, swappedPages: 0 },
  busy: [],
  noise: { arithmetic: 0.005, memory: 0.01, clockStepNs: 30 },
};

function levels(state: MachineState): Readonly<Record<string, string>> {
  return Object.fromEntries(diagnose(state).map(({ name, level }) => [name, level]));
}

describe('a diagnosis', () => {
  it('finds a quiet machine fine', () => {
    expect(new Set(Object.values(levels(quiet)))).toEqual(new Set(['fine']));
  });

  it('finds what disturbs, with advice for each', () => {
    const state: MachineState = {
      facts: { ...quiet.facts, load: 7, governor: 'powersave', turbo: true, isVirtual: true, quotaCpus: 2 },
      usage: { others: 0.4, stolen: 0.1, stoppedByQuota: 0.2, throttles: 3, swappedPages: 9 },
      busy: [{ pid: 7, program: 'tsc', cpus: 1.5 }],
      noise: { arithmetic: 0.03, memory: 0.15, clockStepNs: 5000 },
    };
    expect(levels(state)).toEqual({
      'noise of the CPU': 'note',
      'noise of the memory': 'disturbs',
      'load average': 'disturbs',
      'other processes': 'disturbs',
      'virtual machine': 'note',
      'steal time': 'disturbs',
      'CPU quota': 'disturbs',
      'frequency governor': 'disturbs',
      turbo: 'note',
      'thermal throttling': 'disturbs',
      swap: 'disturbs',
      cores: 'fine',
      clock: 'disturbs',
    });
    const findings = diagnose(state);
    expect(findings.filter(({ level, advice }) => level !== 'fine' && advice === undefined)).toEqual([]);
    const others = findings.find(({ name }) => name === 'other processes');
    expect(others).toMatchObject({
      found: expect.stringContaining('tsc (7) 1.5'),
      saves: expect.stringContaining(' 40 %'),
    });
    expect(others?.advice).toContain('CPUSET=4-7');
    expect(findings.find(({ name }) => name === 'cores')?.saves).toMatch(/^--jobs auto: .* 67 %/);
    // The variance of 15 % in place of 3 %.
    expect(findings[1]?.saves).toContain(' 96 %');
    expect(findings[1]?.found).toContain('11 %');
  });

  it('knows what the system does not tell', () => {
    const { facts } = quiet;
    const unknown = { cpus: 8, usable: facts.usable, load: 0, countsThrottles: false };
    expect(levels({ ...quiet, facts: unknown })).toMatchObject({
      'frequency governor': 'unknown',
      turbo: 'unknown',
      'virtual machine': 'unknown',
      'thermal throttling': 'unknown',
      swap: 'unknown',
    });
  });
});

/** Watches a session with runs every 5 s. `usedBy(second)` is the number of CPUs of 4 that others use. */
function watched(
  runs: number,
  usedBy: (second: number) => number,
  rate = (_: number) => 1,
): string | undefined {
  let second = 0;
  let busySeconds = 0;
  const watch = new MachineWatch(
    () => ({ ...counters, atMs: second * 1000, busySeconds }),
    4,
    () => second * 1000,
  );
  for (let run = 0; run < runs; run++) {
    second += 5;
    busySeconds += 5 * usedBy(second);
    watch.take(`case ${run % 10}`, rate(run));
  }
  return watch.change();
}

describe('a watch over a machine', () => {
  it('tells when other processes begin', () => {
    const change = watched(24, (second) => (second > 60 ? 2 : 0.2));
    expect(change).toMatch(/\b5 % .* 50 % .*doctor/);
  });

  it('is silent if nothing changes, and if the session is short', () => {
    expect(watched(24, () => 2)).toBeUndefined();
    expect(watched(11, (second) => (second > 30 ? 4 : 0))).toBeUndefined();
  });

  it('tells when rates change', () => {
    expect(
      watched(
        120,
        () => 0,
        (run) => (run < 60 ? 1 : 0.8),
      ),
    ).toMatch(/fell .*20 %/);
    expect(
      watched(
        120,
        () => 0,
        (run) => (run % 2 === 0 ? 1 : 0.8),
      ),
    ).toBeUndefined();
  });

  it('does not take few runs for a change', () => {
    expect(driftOf(Array.from({ length: 30 }, (_, at) => ({ key: 'a', logRate: at })))).toBeUndefined();
  });
});
