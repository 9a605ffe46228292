import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const suite = untilEnd(
  temporarySuite({
    'benchmarks/g/a.js': benchmark("{ method: ['a', 'b'], len: [1, 16], n: 5 }"),
    'benchmarks/g/one.js': benchmark('{ n: 5 }'),
  }),
);

const scatter = (file: string, out: string) =>
  benchCli(['scatter', '--runs', '2', '--no-progress', '--out', out, file], {
    cwd: suite.directory,
    scripted: anyRates(),
  });

it('names no command where no parameter varies', async () => {
  const { stdout, stderr } = await scatter('g/one.js', 'one.jsonl');
  expect(stdout).toMatch(/^"filename", "n", "rate", "time"\n/);
  expect(stderr).not.toContain('--xaxis');
});
