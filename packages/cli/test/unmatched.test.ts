import { readFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { endedWith } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { pageText } from '../../../test/support/report-page.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

describe('two checkouts with other benchmarks', () => {
  const kept = benchmark('{ n: [1, 2] }');
  const failing = benchmark('{ n: 1 }', undefined, {
    head: 'if (process.env.SIDE === "old") throw new Error("no");',
  });
  const both = { 'benchmarks/g/kept.js': kept, 'benchmarks/g/failing.js': failing };
  const before = benchmark('{ len: [1, 2] }');
  const gone = benchmark('{ x: [1, 2, 3] }');
  const old = sharedSuite({ ...both, 'benchmarks/g/before.js': before, 'benchmarks/g/gone.js': gone });
  const current = sharedSuite({ ...both, 'benchmarks/g/after.js': benchmark('{ len: [1, 2] }') });
  const cli = (...args: string[]) => benchCli(args, { cwd: current.directory, scripted: anyRates() });

  beforeAll(async () => {
    const subjects = ['--old', `node,cwd=${old.directory},env=SIDE=old`, '--new', 'node,env=SIDE=new'];
    await cli('compare', ...subjects, '--runs', '6', '--out', 'r.jsonl', 'g');
  });

  it('has them in the JSON', async () => {
    const { stdout } = await cli('analyze', '--format', 'json', 'r.jsonl');
    expect(comparisonDocument(stdout)).toMatchObject({
      newCases: [{ benchmark: 'g/after.js' }, { benchmark: 'g/after.js' }],
      unmatched: {
        added: [],
        removed: [{ benchmark: 'g/gone.js' }],
        renamed: [{ from: 'g/before.js', to: 'g/after.js' }],
      },
      missing: [{ kind: 'failed benchmark', benchmark: 'g/failing.js', subject: 'old' }],
    });
  });

  const kinds = [
    '2 new cases',
    '1 removed benchmark',
    '1 probably renamed benchmark',
    '1 failed under .* only',
  ];
  const lists = kinds.map((kind) => new RegExp(`${kind}, not`));
  it.each(['table', 'rates', 'markdown', 'page'])('lists them in %s', async (format) => {
    const args = format === 'page' ? ['--html', 'r.html'] : ['--format', format];
    const { stdout } = await cli('analyze', ...args, 'r.jsonl');
    const text = format === 'page' ? pageText(readFileSync(current.path('r.html'), 'utf8')) : stdout;
    for (const list of lists) expect(text).toMatch(list);
    for (const name of ['g/gone.js', 'g/before.js', 'now g/after.js', 'g/failing.js'])
      expect(text.replaceAll('`', '')).toContain(name);
  });

  it.each(['table', 'junit', 'github-annotations'])('has a gate for removed ones in %s', async (format) => {
    const gate = ['analyze', '--format', format, '--allow-missing', 'r.jsonl', '--fail-on'];
    const removed = await cli(...gate, 'removed');
    expect(removed).toEqual(endedWith(1, 'g/gone.js'));
    if (format !== 'table') expect(removed.stdout).toMatch(/g\/gone\.js|removed/);
    expect(removed.stderr).not.toContain('g/before.js');
    expect(await cli(...gate, 'slower>=90%')).toMatchObject({ exitCode: 0 });
    const elsewhere = await cli(...gate, 'removed', '--where', 'benchmark=g/kept.js');
    expect(elsewhere).toMatchObject({ exitCode: 0 });
  });
});

it('names the files that only the commit has, of those that are selected', async () => {
  using suite = gitRepository({
    'package.json': '{ "type": "module", "name": "p", "exports": "./index.js" }',
    'index.js': 'export const rate = 1;',
    'benchmarks/g/kept.js': benchmark('{ n: 1 }', undefined, { head: "import '../../index.js';" }),
    'benchmarks/g/gone.js': benchmark('{ n: 1 }'),
    'benchmarks/h/other.js': benchmark('{ n: 1 }'),
  });
  rmSync(suite.path('benchmarks/g/gone.js'));
  rmSync(suite.path('benchmarks/h'), { recursive: true });
  const compare = (...args: string[]) =>
    benchCli([...'compare --old git:HEAD --new . --allow-same --runs 2 --format json'.split(' '), ...args], {
      cwd: suite.directory,
      scripted: anyRates(),
    });
  const unmatched = async (...args: string[]) => {
    const { stdout, exitCode } = await compare('--fail-on', 'removed', ...args);
    const { removed, renamed } = { ...comparisonDocument(stdout).unmatched };
    return { exitCode, removed: removed?.map(({ benchmark: name }) => name), renamed };
  };
  expect(await unmatched('all')).toMatchObject({ exitCode: 1, removed: ['g/gone.js', 'h/other.js'] });
  expect(await unmatched('g')).toMatchObject({ exitCode: 1, removed: ['g/gone.js'] });
  for (const selected of [['g/kept.js'], ['--filter', 'kept', 'g']])
    expect(await unmatched(...selected)).toEqual({ exitCode: 0, removed: undefined, renamed: undefined });
  // A file with the same configurations, which both subjects execute.
  suite.write({
    'benchmarks/g/now.js': benchmark('{ n: 1 }', undefined, { head: "import '../../index.js';" }),
  });
  const renamed = [{ from: 'g/gone.js', to: 'g/now.js' }];
  expect(await unmatched('g')).toMatchObject({ exitCode: 0, removed: [], renamed });
});
