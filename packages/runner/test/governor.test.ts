import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fastGovernor, readGovernors, setGovernor, usualGovernor } from '../src/machine/governor.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bench-cli-sysfs-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function addCpu(cpu: number, governor: string, available = 'performance powersave schedutil ondemand'): void {
  const directory = join(root, `cpu${cpu}`, 'cpufreq');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'scaling_governor'), `${governor}\n`);
  writeFileSync(join(directory, 'scaling_available_governors'), `${available}\n`);
}

describe('the governors of the CPUs', () => {
  it('are read in the order of the CPUs', () => {
    addCpu(10, 'powersave');
    addCpu(2, 'schedutil');
    mkdirSync(join(root, 'cpuidle'));
    expect(readGovernors(root)).toEqual([
      { cpu: 2, governor: 'schedutil' },
      { cpu: 10, governor: 'powersave' },
    ]);
  });

  it('are set for every CPU', () => {
    addCpu(0, 'powersave');
    addCpu(1, 'powersave');
    setGovernor(fastGovernor, root);
    for (const cpu of [0, 1]) {
      expect(readFileSync(join(root, `cpu${cpu}/cpufreq/scaling_governor`), 'utf8')).toBe('performance');
    }
  });

  it('have the first common governor of the system as their default', () => {
    addCpu(0, 'performance', 'performance ondemand powersave');
    expect(usualGovernor(root)).toBe('ondemand');
  });

  it.runIf(process.platform === 'linux')('are an error if the system has none', () => {
    const noGovernors = (directory: string) => errorWith('GOVERNOR', directory);
    expect(() => readGovernors(root)).toThrow(noGovernors(root));
    const nowhere = join(root, 'nowhere');
    expect(() => setGovernor(fastGovernor, nowhere)).toThrow(noGovernors(nowhere));
  });
});
