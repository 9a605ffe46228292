import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fastGovernor, setGovernor } from '../src/machine/governor.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bench-cli-sysfs-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function addCpu(cpu: number, governor: string): void {
  const directory = join(root, `cpu${cpu}`, 'cpufreq');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'scaling_governor'), `${governor}\n`);
}

describe('the governors of the CPUs', () => {
  it('are set for every CPU, and those before are returned', () => {
    addCpu(0, 'powersave');
    addCpu(10, 'schedutil');
    mkdirSync(join(root, 'cpuidle'));
    expect(setGovernor(fastGovernor, root)).toEqual(['powersave', 'schedutil']);
    for (const cpu of [0, 10]) {
      expect(readFileSync(join(root, `cpu${cpu}/cpufreq/scaling_governor`), 'utf8')).toBe('performance');
    }
  });

  it('are an error if the system has none', () => {
    const noGovernors = (directory: string) => errorWith('GOVERNOR', directory);
    expect(() => setGovernor(fastGovernor, root)).toThrow(noGovernors(root));
    const nowhere = join(root, 'nowhere');
    expect(() => setGovernor(fastGovernor, nowhere)).toThrow(noGovernors(nowhere));
  });
});
