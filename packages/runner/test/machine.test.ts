import { describe, expect, it } from 'vitest';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { type MachineCounters, readCounters, usageBetween, watchMachine } from '../src/machine/counters.ts';
import { diagnose, type MachineState, quotaOf } from '../src/machine/diagnosis.ts';

/** Directories as /proc and /sys. */
const rootsIn = ({ path }: TemporarySuite) => ({ proc: path('proc'), sys: path('sys') });

const cpu = 'sys/devices/system/cpu';
const counters: MachineCounters = { atMs: 0, busySeconds: 0, stolenSeconds: 0, ownSeconds: 0, throttles: 0 };

describe('the counters of a machine', () => {
  it('are those of the system, this process and its control group', () => {
    using files = temporarySuite({
      'proc/stat': 'cpu  100 200 300 9999 50 10 20 400 0 0\ncpu0 1 2 3\n',
      'proc/self/stat': `7 (a) b) S ${Array.from({ length: 10 }, () => 0).join(' ')} 11 22 33 44 0\n`,
      [`${cpu}/online`]: '0-1\n',
      [`${cpu}/cpu1/thermal_throttle/core_throttle_count`]: '3\n',
    });
    const seconds = { busySeconds: 6.3, stolenSeconds: 4, ownSeconds: 1.1 };
    expect(readCounters(rootsIn(files), () => 1000)).toEqual({ atMs: 1000, ...seconds, throttles: 3 });
  });

  it('are 0 where the system has none', () => {
    using files = temporarySuite({});
    expect(readCounters(rootsIn(files), () => 1)).toEqual({ ...counters, atMs: 1 });
  });

  it('give shares of the CPU time of all CPUs', () => {
    const seconds = { busySeconds: 5, ownSeconds: 2, stolenSeconds: 0.8 };
    const later = { ...counters, atMs: 2000, ...seconds, throttles: 2 };
    expect(usageBetween(counters, later, 4)).toEqual({ others: 0.375, stolen: 0.1, throttles: 2 });
  });
});

it.each([
  ['version 2', { 'sys/fs/cgroup/cpu.max': '150000 100000\n' }, 1.5],
  ['version 2 without a limit', { 'sys/fs/cgroup/cpu.max': 'max 100000\n' }, undefined],
  [
    'version 1',
    { 'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n', 'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' },
    0.5,
  ],
])('the quota is read from a control group of %s', (_, groups, quota) => {
  using files = temporarySuite(groups);
  expect(quotaOf(files.path('sys'))).toBe(quota);
});

const usage = { others: 0.01, stolen: 0, throttles: 0 };
const quiet: MachineState = {
  cpus: 8,
  usableCpus: 8,
  load: 0.1,
  governor: 'performance',
  quotaCpus: undefined,
  usage,
  busy: [],
  noise: { arithmetic: 0.005, memory: 0.01 },
};

const disturbing = (state: Partial<MachineState>) =>
  diagnose({ ...quiet, ...state }).flatMap(({ name, advice }) => (advice === undefined ? [] : [name]));

describe('a diagnosis', () => {
  it('finds a quiet machine fine', () => {
    expect(disturbing({})).toEqual([]);
  });

  it.each<[string, Partial<MachineState>]>([
    ['noise', { noise: { arithmetic: 0.06, memory: 0.01 } }],
    ['noise', { noise: { arithmetic: 0.01, memory: 0.06 } }],
    ['other processes', { load: 5 }],
    ['other processes', { busy: [{ pid: 7, program: 'tsc', cpus: 0.1 }] }],
    ['other processes', { usage: { ...usage, others: 0.05 } }],
    ['host', { usage: { ...usage, stolen: 0.01 } }],
    ['usable CPUs', { usableCpus: 1 }],
    ['usable CPUs', { quotaCpus: 1.5 }],
    ['governor', { governor: 'powersave' }],
  ])('advises on %s: %j', (name, state) => {
    expect(disturbing(state)).toEqual([name]);
  });

  it.runIf(process.platform === 'linux')('names the figures, the programs, and CPUs to keep free', () => {
    const [noise, others] = diagnose({
      ...quiet,
      usage: { ...usage, others: 0.4 },
      busy: [{ pid: 7, program: 'tsc', cpus: 1.5 }],
      noise: { arithmetic: 0.03, memory: 0.15 },
    });
    expect(noise?.found).toMatch(/3\.0 % .* 15 % .* 11 %$/);
    expect(others?.found).toMatch(/^40 % .*\(tsc \(7\) 19 %, .* 21 %\)/);
    expect(others?.advice).toContain('CPUSET=4-7');
  });

  it('leaves out a governor that the system does not show', () => {
    const state = { ...quiet, governor: undefined };
    expect(diagnose(state).map(({ name }) => name)).not.toContain('governor');
  });

  it('claims no share of the CPU time that the system does not show', () => {
    const [, others, host] = diagnose({ ...quiet, usage: undefined });
    for (const finding of [others, host]) {
      expect(finding?.found).toContain('unknown');
      expect(finding?.found).not.toContain('%');
      expect(finding?.advice).toBeUndefined();
    }
  });
});

it.each<[found: RegExp | undefined, state: Partial<MachineCounters>]>([
  [undefined, { busySeconds: 2, stolenSeconds: 0.9 }],
  [/ 50 % .*bench-cli machine/, { busySeconds: 10 }],
  [/ 10 % .*bench-cli machine/, { stolenSeconds: 2 }],
  [/ 3 times /, { throttles: 3 }],
])('a watch over a machine of 4 CPUs tells %s of %j in 5 s', (found, state) => {
  let now = counters;
  const loadSoFar = watchMachine(() => now, 4);
  now = { ...counters, atMs: 5000, ...state };
  expect(loadSoFar() ?? '').toMatch(found ?? /^$/);
});
