import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { doctorTable } from '../src/doctor/doctor-table.ts';

describe('bench-cli doctor', () => {
  it('prints what it finds on this machine, and exits with 0', async () => {
    const [text, json] = await Promise.all([benchCli(['doctor']), benchCli(['doctor', '--json'])]);
    expect([text.exitCode, text.stderr, json.exitCode]).toEqual([0, '', 0]);
    const { findings, noise } = JSON.parse(json.stdout);
    expect(noise.arithmetic).toBeGreaterThan(0);
    for (const { name, level } of findings) {
      expect(text.stdout).toContain(`\n${name}`.slice(name === findings[0].name ? 1 : 0));
      expect(['fine', 'note', 'disturbs', 'unknown']).toContain(level);
    }
  });

  it.each([80, 40])('fits %i columns', (width) => {
    const table = doctorTable(
      [
        { name: 'clock', found: 'steps of 30 ns', level: 'fine' },
        {
          name: 'other processes',
          found: '63 % of the CPU time; CPUs: node (123) 0.9, tsc (4) 0.4',
          level: 'disturbs',
          advice: 'end them',
          saves: 'up to 63 % of the time',
        },
      ],
      width,
      (_, text) => text,
    );
    expect(table).toMatch(/^clock +fine +steps of 30 ns\nother processes +disturbs +63 %/);
    expect(table.replaceAll(/\s+/g, ' ')).toMatch(/-> end them; .*up to 63 % of the time/);
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
      Math.max(60, width),
    );
    expect(table).toContain('1 of 2 ');
  });
});
