import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;

beforeAll(() => {
  suite = temporarySuite({
    'benchmarks/g/a.js': benchmark("{ method: ['a', 'b'], len: [1, 16], n: 5 }"),
    'benchmarks/g/one.js': benchmark('{ n: 5 }'),
  });
});

afterAll(() => suite[Symbol.dispose]());

const scatter = (file: string, out: string) =>
  benchCli(['scatter', '--runs', '2', '--no-progress', '--out', out, file], {
    cwd: suite.directory,
    scripted: anyRates(),
  });

it('prints each run as CSV, and the next command', async () => {
  const { stdout, stderr } = await scatter('g/a.js', 'a.jsonl');
  expect(stdout).toMatch(/^"filename", "n", "len", "method", "rate", "time"\n("g\/a\.js", 5, .*\n){8}$/);
  expect(stderr).toMatch(/bench-cli analyze --xaxis len a\.jsonl\n$/);
});

it('names no command where no parameter varies', async () => {
  const { stdout, stderr } = await scatter('g/one.js', 'one.jsonl');
  expect(stdout).toMatch(/^"filename", "n", "rate", "time"\n/);
  expect(stderr).not.toContain('--xaxis');
});
