import { beforeAll, expect, it } from 'vitest';
import { benchCli, commandIo } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';
import { run } from '../src/main.ts';

/** A rate depends on the configuration and the subject only, and not on the order in which the runs were drawn. */
const scripted = scriptedRates(({ configuration: { len }, env }) =>
  env['SIDE'] === 'new' ? 1000 : 2000 + Number(len),
);
const subjects = ['--old', 'node,env=SIDE=old', '--new', 'node,env=SIDE=new'];

const suite = sharedSuite({ 'benchmarks/g/a.js': benchmark("{ method: ['a', 'b'], len: 1 }") });

beforeAll(async () => {
  const compared = ['compare', ...subjects, '--out', 'compared.jsonl', 'g'];
  await benchCli(compared, { cwd: suite.directory, scripted });
});

it.each([
  ['compare', ...subjects, '--no-progress', 'g'],
  ['run', '--no-progress', 'g'],
  ['run', '--runs', 'auto', '--no-progress', 'g'],
  ['scatter', '--runs', '2', '--no-progress', '--out', 'scatter.jsonl', 'g/a.js'],
  ['analyze', 'compared.jsonl'],
  ['analyze', '--xaxis', 'len', '--group-by', 'method', 'scatter.jsonl'],
  ['history', '--file', 'history.jsonl', '--commit', 'c', 'compared.jsonl'],
])('a pipe gets what a wide terminal gets: %s %s %s', async (...words) => {
  const piped = await benchCli(words, { cwd: suite.directory, scripted });
  // The file of the first session is in the way of the second one.
  const again = words.map((word) =>
    words[0] === 'scatter' && word === 'scatter.jsonl' ? 'again.jsonl' : word,
  );
  const env = { ...process.env, NO_COLOR: '1' };
  const { io, stdout } = commandIo({ cwd: suite.directory, env, scripted }, { columns: 1000 });
  expect(piped).toMatchObject({ exitCode: 0 });
  expect(piped.stdout.length).toBeGreaterThan(0);
  expect([await run(again, io), stdout()]).toEqual([0, piped.stdout]);
});

it('the table of a comparison is no CSV: analyze says how to write one', async () => {
  const { stdout } = await benchCli(['analyze', 'compared.jsonl'], { cwd: suite.directory });
  const analyzed = await benchCli(['analyze'], { cwd: suite.directory, input: stdout });
  expect(analyzed).toEqual(usageError('CSV_HEADER', '--format csv'));
});
