import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { benchmark } from '../../../test/support/suite.ts';

it('bench-cli bisect of a library finds the commit that leaks by the amounts of a metric, also when it is continued', {
  timeout: 300_000,
}, async () => {
  const leaking = (leaks: boolean, version: number) => ({
    'package.json': '{ "name": "library", "exports": "./src.js" }',
    'src.js': `// ${version}\nconst kept = [];\nexport const work = () => { ${leaks ? 'kept.push(new Float64Array(8))' : ''} };`,
  });
  using repository = gitRepository(leaking(false, 0));
  const commits = [1, 2, 3, 4].map((at) => repository.commit(leaking(at >= 3, at)));
  repository.write({
    'benchmarks/g/work.js': benchmark(
      '{ n: 1 }',
      'bench.start(); for (let i = 0; i < 20_000; i++) work(); bench.end(20_000);',
      {
        head: "import { work } from 'library';",
      },
    ),
  });
  const bisect = (...words: readonly string[]) =>
    benchCli(['bisect', ...words], { cwd: repository.directory });
  const search = ['--old', 'git:main~4', '--new', 'git:main', 'g/work.js', '--metric'];
  const { stdout, stderr, exitCode } = await bisect(
    ...search,
    ...'retained --format json --out a.jsonl'.split(' '),
  );
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  const first = `git:${commits[2]?.slice(0, 7)}`;
  expect(JSON.parse(stdout)).toMatchObject({
    ends: { verdict: 'more' },
    metric: { name: 'retained' },
    elapsedMs: expect.toSatisfy((ms: number) => ms > 0),
    found: { first, last: first },
  });
  const lines = readFileSync(repository.path('a.jsonl'), 'utf8').split('\n');
  writeFileSync(repository.path('b.jsonl'), `${lines.slice(0, lines.length / 2).join('\n')}\n`);
  expect(await bisect('--resume', 'b.jsonl')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(new RegExp(`^${first} .* more bytes per operation`)),
  });
  expect(await bisect(...search, 'alloc,cpu')).toEqual(usageError('METRIC', 'alloc,cpu', 'one'));
});
