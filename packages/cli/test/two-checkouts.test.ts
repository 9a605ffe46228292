import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const parse = benchmark('{ n: [1, 2] }', undefined, { head: "import { rate } from '../../code.js';" });
const added = benchmark('{ len: [1, 2] }', undefined, { options: '{ setup() {}, teardown() {} }' });

const old = sharedSuite({ 'benchmarks/g/parse.js': parse, 'code.js': 'export const rate = 10;' });
const own = { 'benchmarks/g/parse.js': parse, 'benchmarks/g/added.js': added };
const current = sharedSuite({ ...own, 'code.js': 'export const rate = 20;' });

/** The code has another rate in each checkout. */
const scripted = scriptedRates(({ path, configuration: { n, len } }) =>
  len === undefined ? Number(n) * (path.startsWith(old.directory) ? 10 : 20) : 3 * Number(len),
);
const run = (...args: string[]) => benchCli(args, { cwd: current.directory, scripted });

const compare = (...args: string[]) =>
  run('compare', '--old', `node,cwd=${old.directory}`, '--new', 'node', ...args);

it('a benchmark that differs between two checkouts is refused before anything runs, with both files, also when the session is resumed', async () => {
  const out = current.path('same.jsonl');
  await compare('--runs', '1', '--out', out, 'g/parse.js');
  const copy = old.path('benchmarks/g/parse.js');
  writeFileSync(copy, `${parse}// changed`);
  const paths = ['g/parse.js', copy, 'and benchmarks/g/parse.js'];
  const fresh = await compare('--runs', '1', 'g/parse.js');
  const resumed = await run('compare', '--resume', out);
  writeFileSync(copy, parse);
  expect(fresh).toEqual(usageError('FILES_DIFFER', ...paths));
  expect(resumed).toEqual(usageError('FILES_DIFFER', ...paths));
});

describe('a benchmark that only the new checkout has', () => {
  const file = (name: string) => join(current.directory, name);

  beforeAll(async () => {
    const { exitCode, stderr } = await compare('--runs', '6', '--out', file('r.jsonl'), 'g');
    expect({ exitCode, stderr }).toEqual(endedWith(0, 'g/added.js: '));
  });

  it('runs under the new subject, and is listed beside the comparisons', async () => {
    const { exitCode, stdout } = await run('analyze', '--fail-on', 'slower', file('r.jsonl'));
    expect(exitCode).toBe(0);
    expect(stdout.match(/^ {2}n=\d /gm)).toHaveLength(2);
    expect(stdout).toMatch(/^2 new .*\n {2}g\/added\.js len=1 +3\.000 ops\/s ±0\.0 % \(n=6\)\n/m);
  });

  it('passes a gate of its own comparison, if it is the only benchmark', async () => {
    const { exitCode } = await compare(
      ...'--runs 1 --fail-on slower>=5% --format table g/added.js'.split(' '),
    );
    expect(exitCode).toBe(0);
  });

  it('runs a few times in an adaptive comparison, and does not count for its correction', async () => {
    const out = file('auto.jsonl');
    const { exitCode, stdout } = await compare('--out', out, 'g');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('(n=3)') });
    const again = await run('analyze', out);
    expect(again.stdout).toBe(stdout);
  });

  it('belongs to a shard as others do, and the shards are joined', async () => {
    const parts = ['1/2', '2/2'].map((shard) => ({ shard, out: file(`shard-${shard[0]}.jsonl`) }));
    for (const { shard, out } of parts)
      expect((await compare('--runs', '6', '--shard', shard, '--out', out, 'g')).exitCode).toBe(0);
    const written = await run('analyze', ...parts.map(({ out }) => out), '--out', file('all.jsonl'));
    expect(written.exitCode).toBe(0);
    const [whole, joined] = await Promise.all(
      ['r.jsonl', 'all.jsonl'].map((name) => run('analyze', '--fail-on', 'slower', file(name))),
    );
    expect(joined?.stdout).toBe(whole?.stdout);
    expect(joined?.exitCode).toBe(0);
  });
});
