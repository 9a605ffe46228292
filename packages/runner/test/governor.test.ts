import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { fastGovernor, setGovernor } from '../src/machine/governor.ts';

const governors = {
  'cpu0/cpufreq/scaling_governor': 'powersave\n',
  'cpu10/cpufreq/scaling_governor': 'schedutil\n',
};

it('the governors of all CPUs are set, and those before are returned', () => {
  using files = temporarySuite({ ...governors, 'cpuidle/_keep': '' });
  expect(setGovernor(fastGovernor, files.directory)).toEqual(['powersave', 'schedutil']);
  for (const name of Object.keys(governors))
    expect(readFileSync(files.path(name), 'utf8')).toBe('performance');
});

it('a system without governors is an error', () => {
  using files = temporarySuite({});
  for (const directory of [files.directory, files.path('nowhere')])
    expect(() => setGovernor(fastGovernor, directory)).toThrow(errorWith('GOVERNOR', directory));
});
