import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { machineTable } from '../src/commands/machine-command.ts';

describe('bench-cli machine', () => {
  it('prints what it finds on this machine, and exits with 0', async () => {
    const [text, json] = await Promise.all([
      benchCli(['machine']),
      benchCli(['machine', '--format', 'json']),
    ]);
    expect([text.exitCode, text.stderr, json.exitCode]).toEqual([0, '', 0]);
    for (const { name } of JSON.parse(json.stdout)) expect(`\n${text.stdout}`).toContain(`\n${name} `);
  });

  it.skipIf(existsSync('/sys/devices/system/cpu/cpu0/cpufreq'))('cannot set a missing governor', async () => {
    expect(await benchCli(['machine', '--governor', 'performance'])).toMatchObject(usageError('GOVERNOR'));
  });

  it.each([80, 40])('fits %i columns', (width) => {
    const table = machineTable(
      [
        { name: 'host', found: 'takes 0.0 % of the CPU time' },
        { name: 'other processes', found: '63 % of the CPU time; CPUs: node (123) 0.9', advice: 'end them' },
      ],
      width,
      (_, text) => text,
    );
    expect(table).toMatch(/^host +takes 0.0 %[\s\S]*\nother processes +63 %/);
    expect(table).toMatch(/\n +-> end them\n/);
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
      Math.max(50, width),
    );
    expect(table).toContain('1 of 2 ');
  });
});
