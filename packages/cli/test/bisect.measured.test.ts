import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { localRegistry } from '../../../test/support/registry.ts';
import { benchmark, privateCache, temporarySuite } from '../../../test/support/suite.ts';

afterEach(() => vi.unstubAllEnvs());

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
  const { stdout: table } = await bisect('--resume', 'b.jsonl');
  expect(table).toContain(`\ngit:main is commit ${commits[3]?.slice(0, 7)}.\n`);
  expect(await bisect(...search, 'alloc,cpu')).toEqual(usageError('METRIC', 'alloc,cpu', 'one'));
});

it('bench-cli bisect over versions of a package asks and installs from the registry of the project only', async () => {
  await using own = await localRegistry('private', 'library', ['1.0.0', '2.0.0', '3.0.0', '4.0.0']);
  await using home = await localRegistry('public', 'library', ['1.0.0', '1.5.0', '4.0.0']);
  const body = 'bench.report((/private [12]/.test(library) ? 1000 : 500) + (process.pid % 7), 1n);';
  using suite = temporarySuite({
    '.npmrc': `registry=${own.url}\n`,
    'home/.npmrc': `registry=${home.url}\n`,
    'a.js': benchmark('{}', body, { head: "import library from 'library';" }),
  });
  for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv('npm_config_userconfig', suite.path('home/.npmrc'));
  const ends = ['--old', 'npm:library@1.0.0', '--new', 'npm:library@4.0.0', 'a.js'];
  const env = { BENCH_CLI_CACHE: privateCache(suite) };
  const found = await benchCli(['bisect', ...ends], { cwd: suite.directory, env });
  expect(found).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^npm:library@3\.0\.0 .*slower/),
  });
  expect(home.asked).toEqual([]);
});
