import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;

beforeAll(() => {
  const head = 'const rates = { slow: 1000, fast: 2000 };';
  const main = 'bench.report(rates[conf.method] * (1 + (process.pid % 7) / 1e6), 1n);';
  suite = temporarySuite({
    'benchmarks/g/a.js': benchmark('{ method: ["slow", "fast"], n: 5 }', main, { head }),
    'benchmarks/g/b.js': benchmark('{ n: 1 }', "throw new Error('broken');"),
  });
});

afterAll(() => suite[Symbol.dispose]());

const run = (...args: string[]) => benchCli(['run', ...args], { cwd: suite.directory });

describe('run --format table', () => {
  it('prints one line per case, and which value is faster, and analyze shows it again', async () => {
    const ran = await run('--format', 'table', '--runs', '5', '--out', 'rates.jsonl', 'g');
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(
      /^\ng\/a\.js n=5\n.*\n {2}method=slow +1\.000 k +±0\.0 % +5\n {2}method=fast +2\.000 k +±0\.0 % +5 {2}fastest\n {2}method=fast .*\n {4}2\.00 .* slow \(2\.00 to 2\.00\)\n\nops\/s: .*\n$/,
    );
    const { stdout } = await benchCli(['analyze', 'rates.jsonl'], { cwd: suite.directory });
    expect(stdout).toBe(ran.stdout);
  });

  it('is not the format of a pipe, and has no spread of one run', async () => {
    const piped = await run('--out', 'one.jsonl', 'g/a.js');
    expect(piped.stdout).toMatch(/^\ng\/a\.js\ng\/a\.js n=5 method="slow": 1,000/);
    const { stdout } = await run('--resume', 'one.jsonl', '--format', 'table');
    expect(stdout).toMatch(/method=fast +2\.000 k\n/);
    expect(stdout).not.toMatch(/±|2\.00 /);
  });

  it('shows the intervals of adaptive runs', async () => {
    const { stdout } = await run('--format', 'table', '--runs', 'auto', 'g/a.js');
    expect(stdout).toMatch(/method=fast +2\.000 k +±0\.0 % +\d+ {2}fastest\n/);
    expect(stdout).toMatch(/^ops\/s: .* ±: .* 95 %/m);
    expect(stdout).toMatch(/^ {2}method=fast .*\n {4}2\.00 .* slow \(2\.00 to 2\.00\)$/m);
  });
});
