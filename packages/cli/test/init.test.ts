import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { benchCli, commandIo } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { run } from '../src/main.ts';

type Files = Readonly<Record<string, string>>;
const manifest = (fields: object) => JSON.stringify({ name: 'my-library', ...fields });
const esm = { type: 'module', exports: './index.js' };
const slug = 'export const slug = (title) => title.toLowerCase().split(/\\W+/).join("-");\n';
const built = { ...esm, scripts: { build: 'tsc' } };
const base = { 'package.json': manifest(esm), 'index.js': slug };
const next = 'npx bench-cli compare';

/** Files of a project, the benchmark with a part of it, the config file with a part of it, and the command that follows. */
const projects: readonly (readonly [string, Files, readonly string[], readonly string[], string])[] = [
  [
    'npm',
    base,
    ['benchmarks/slug.js', "import { slug } from 'my-library';"],
    ['bench-cli.config.js', "old: 'git:main'"],
    next,
  ],
  [
    'npm with a build',
    { ...base, 'package.json': manifest(built), 'package-lock.json': '{}' },
    ['benchmarks/slug.js', 'slug(input)'],
    ['bench-cli.config.js', "prepare: 'npm ci && npm run build'"],
    next,
  ],
  [
    'pnpm',
    { ...base, 'package.json': manifest(built), 'pnpm-lock.yaml': '' },
    ['benchmarks/slug.js', ''],
    ['bench-cli.config.js', "'pnpm install --frozen-lockfile && pnpm run build'"],
    next,
  ],
  [
    'yarn',
    { ...base, 'package.json': manifest(built), 'yarn.lock': '' },
    ['benchmarks/slug.js', ''],
    ['bench-cli.config.js', "'yarn install && yarn run build'"],
    next,
  ],
  [
    'TypeScript',
    {
      'package.json': manifest({
        type: 'module',
        exports: { '.': { types: './index.d.ts', default: './index.ts' } },
      }),
      'tsconfig.json': '{}',
      'index.ts': 'export function sortAll(items: number[]): number[] { return items.toSorted(); }',
    },
    ['benchmarks/sort-all.ts', '[3, 1, 2]'],
    ['bench-cli.config.ts', 'satisfies Config'],
    next,
  ],
  [
    'CommonJS',
    {
      'package.json': manifest({ main: 'index.js' }),
      'index.js': 'module.exports = (text) => text.split(/ /);',
    },
    ['benchmarks/measured.mjs', "import measured from '../index.js';"],
    ['bench-cli.config.mjs', 'old:'],
    next,
  ],
  [
    'CommonJS with an object',
    {
      'package.json': manifest({}),
      'index.js': 'const api = {}; api.pad = (text, count) => text.padEnd(count); module.exports = api;',
    },
    ['benchmarks/pad.mjs', 'library.pad(input1, input2)'],
    ['bench-cli.config.mjs', ''],
    next,
  ],
  [
    'functions that take no simple arguments, and classes',
    { ...base, 'index.js': `export class A {}\nexport const open = () => { throw new Error(); };\n${slug}` },
    ['benchmarks/slug.js', ''],
    ['bench-cli.config.js', ''],
    next,
  ],
  [
    'vitest',
    { ...base, 'src/a.bench.js': "import { bench } from 'vitest';" },
    [],
    ['bench-cli.config.js', ''],
    next,
  ],
  ['tinybench', { ...base, 'benchmarks/a.js': '' }, [], ['bench-cli.config.js', ''], next],
  [
    'a byte order mark',
    { ...base, 'package.json': `\uFEFF${manifest(esm)}` },
    ['benchmarks/slug.js', "from 'my-library';"],
    ['bench-cli.config.js', ''],
    next,
  ],
  ['no exports', { 'package.json': '{}', 'index.js': '' }, [], ['bench-cli.config.mjs', ''], ''],
  ['no entry', { 'package.json': '{}' }, [], ['bench-cli.config.mjs', ''], ''],
  [
    'only a program',
    { 'package.json': '{"bin":{"mine":"cli.js"}}' },
    [],
    ['bench-cli.config.mjs', ''],
    `${next} 'node cli.js --help'`,
  ],
  [
    'functions that return collections',
    { ...base, 'index.js': 'export const count = (list) => new Set(list);' },
    ['benchmarks/count.js', ''],
    ['bench-cli.config.js', ''],
    next,
  ],
  [
    'existing config',
    { ...base, 'bench-cli.config.mjs': 'export default {};' },
    ['benchmarks/slug.js', ''],
    [],
    `${next} --old git:main`,
  ],
];

const init = ({ directory }: TemporaryRepository, ...words: readonly string[]) =>
  benchCli(['init', ...words], { cwd: directory });
const added = (project: TemporaryRepository) =>
  project.git('ls-files', '--others', '--exclude-standard').split('\n').filter(Boolean);

describe('bench-cli init', () => {
  it.each(projects)(
    'writes what fits the project: %s',
    async (_, files, [benchmark = '', code = ''], [config = '', text = ''], command) => {
      using project = gitRepository(files);
      const { stdout, exitCode } = await init(project, '--write');
      expect([exitCode, added(project)]).toEqual([0, [config, benchmark].filter(Boolean).sort()]);
      const nextLine = command === '' ? '\\n' : `\\nNext: ${command.replaceAll('.', '\\.')}\\n`;
      expect(stdout).toMatch(new RegExp(`${nextLine}$`));
      expect(stdout.includes('Next:')).toBe(command !== '');
      const read = (path: string) => readFileSync(project.path(path), 'utf8');
      if (config !== '') expect(read(config)).toContain(text);
      // The others have the benchmark of one that is run.
      if (code === '') return;
      expect(read(benchmark)).toContain(code);
      const run = await benchCli(['run', benchmark, 'test'], { cwd: project.directory });
      expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ ops\/s\n/) });
    },
  );

  it('serves a package of a monorepo, which has the lockfile of its repository', async () => {
    using project = gitRepository({
      'pnpm-lock.yaml': '',
      'packages/a/package.json': manifest(built),
      'packages/a/index.js': slug,
    });
    expect(await benchCli(['init', '--write'], { cwd: project.path('packages/a') })).toMatchObject({
      exitCode: 0,
    });
    expect(added(project)).toEqual(['packages/a/bench-cli.config.js', 'packages/a/benchmarks/slug.js']);
    expect(readFileSync(project.path('packages/a/bench-cli.config.js'), 'utf8')).toContain('pnpm run build');
  });

  it('compares with the default branch of the remote', async () => {
    using project = gitRepository(base);
    project.git('update-ref', "refs/remotes/origin/it's", 'HEAD');
    project.git('symbolic-ref', 'refs/remotes/origin/HEAD', "refs/remotes/origin/it's");
    expect((await init(project)).stdout).toContain(`old: "git:it's"`);
  });

  it('only runs benchmarks without a repository', async () => {
    using project = gitRepository(base);
    rmSync(project.path('.git'), { recursive: true });
    expect((await init(project, '--write')).stdout).toMatch(/\nNext: npx bench-cli run\n$/);
    expect(existsSync(project.path('bench-cli.config.js'))).toBe(false);
  });

  it('names the command that installs bench-cli', async () => {
    using project = gitRepository({ ...base, 'pnpm-lock.yaml': '' });
    rmSync(project.path('node_modules'), { recursive: true, force: true });
    expect((await init(project, '--write')).stdout).toMatch(
      /\nNext: pnpm add -D @bench-cli\/cli @bench-cli\/core && npx /,
    );
  });

  it('shows files without writing them if there is no terminal to ask', async () => {
    using project = gitRepository(base);
    const { stdout, stderr } = await init(project);
    expect(stdout).toContain('benchmarks/slug.js\n');
    expect([stderr, added(project)]).toEqual([expect.stringContaining('--write'), []]);
  });

  it.each([
    ['y\n', 2],
    ['\n', 0],
  ])('asks on a terminal: %j', async (input, count) => {
    using project = gitRepository(base);
    const { io } = commandIo({ cwd: project.directory, input }, { columns: 80 });
    Object.assign(io.stdin, { isTTY: true });
    expect(await run(['init'], io)).toBe(0);
    expect(added(project)).toHaveLength(count);
  });

  const hosts: readonly (readonly [remote: string, Files, written: string | undefined])[] = [
    ['git@github.com:me/my-library.git', {}, '.github/workflows/benchmarks.yml'],
    ['', { '.github/CODEOWNERS': '' }, '.github/workflows/benchmarks.yml'],
    ['https://gitlab.com/me/my-library.git', {}, '.gitlab-ci.yml'],
    ['ssh://git@gitlab.example.com:22/me/my-library', { '.github/CODEOWNERS': '' }, '.gitlab-ci.yml'],
    ['https://git.example.com/me/my-library', { '.gitlab-ci.yml': 'test: {}' }, '.gitlab/benchmarks.yml'],
    ['https://gitlab.com/me/my-library.git', { '.gitlab-ci.yml': 'script: bench-cli' }, undefined],
    ['git@bitbucket.org:me/my-library.git', { '.github/CODEOWNERS': '' }, undefined],
    ['https://git.example.com/me/my-library', {}, undefined],
  ];

  it.each(hosts)('writes the job of the host on request, and replaces no file: %j %j', async (...host) => {
    const [remote, files, written] = host;
    using project = gitRepository({
      ...base,
      ...files,
      'package.json': manifest(built),
      'pnpm-lock.yaml': '',
    });
    if (remote !== '') project.git('remote', 'add', 'origin', remote);
    const { exitCode, stderr } = await init(project, 'workflow', '--write');
    expect(exitCode).toBe(0);
    expect(added(project).filter((path) => path.includes('.git'))).toEqual(
      written === undefined ? [] : [written],
    );
    if (written === undefined) {
      expect(stderr).toContain(
        files['.gitlab-ci.yml'] === undefined ? 'no workflow' : 'keeps .gitlab-ci.yml',
      );
      return;
    }
    const { jobs, benchmarks } = parse(readFileSync(project.path(written), 'utf8'));
    const steps = JSON.stringify(jobs?.compare.steps ?? benchmarks.script);
    expect(steps).toContain('pnpm install --frozen-lockfile && pnpm run build');
    expect(steps).toContain('bench-cli compare --old');
    project.write({ [written]: 'mine' });
    await init(project, 'workflow', '--write');
    expect(readFileSync(project.path(written), 'utf8')).toBe('mine');
  });

  const places: readonly (readonly [string, string, Files, string])[] = [
    ['github', 'packages/a', {}, '.github/workflows/benchmarks-packages-a.yml'],
    ['gitlab', 'packages/a', {}, '.gitlab-ci.yml'],
    [
      'gitlab',
      "it's b",
      { '.gitlab-ci.yml': 'benchmarks-it-s-bc: bench-cli' },
      '.gitlab/benchmarks-it-s-b.yml',
    ],
    ['github', 'b', { 'b/.github/workflows/benchmarks.yml': '' }, '.github/workflows/benchmarks-b.yml'],
  ];

  it.each(places)(
    'writes the job of a package into the root of its repository: %s, %s',
    async (...[host, path, files, written]) => {
      const own = { [`${path}/package.json`]: manifest(esm), [`${path}/index.js`]: slug };
      using project = gitRepository({ ...own, ...files });
      project.git('remote', 'add', 'origin', `https://${host}.com/me/my-library.git`);
      const words = { cwd: project.path(path) };
      expect(await benchCli(['init', 'workflow', '--write'], words)).toMatchObject({ exitCode: 0 });
      expect(added(project).filter((name) => name.includes('.git'))).toEqual([written]);
      const job = Object.values(parse(readFileSync(project.path(written), 'utf8'))).at(-1);
      const entered = host === 'github' ? path : `cd '${path.replace("'", "'\\''")}'`;
      expect(JSON.stringify(job)).toContain(JSON.stringify(entered));
      const again = await benchCli(['init', 'workflow', '--write'], words);
      expect(again.stderr).toContain(`/${written}`);
    },
  );

  it('imports nothing of the package, and calls nothing', async () => {
    const trap = "import { writeFileSync } from 'node:fs';\nwriteFileSync('imported', '');\n";
    const effects = ['deleteAccount(id)', 'sendMail(name, text)', 'stopProcess(pid)'].map(
      (signature) => `export function ${signature} { writeFileSync('called', ''); }\n`,
    );
    using project = gitRepository({ ...base, 'index.js': `${trap}${effects.join('')}${slug}` });
    expect((await init(project, '--write')).stdout).toContain('benchmarks/slug.js');
    project.write({ 'benchmarks/slug.js': '', 'index.js': `${trap}${effects.join('')}` });
    rmSync(project.path('benchmarks'), { recursive: true });
    expect((await init(project, '--write')).stderr).toContain('no exported function');
    expect(['imported', 'called'].map((name) => existsSync(project.path(name)))).toEqual([false, false]);
  });

  it('writes a benchmark whose arguments are marked as guesses, and which fails at its line if they are wrong', async () => {
    using project = gitRepository({ ...base, 'index.js': 'export const read = (text) => JSON.parse(text);' });
    await init(project, '--write');
    expect(readFileSync(project.path('benchmarks/read.js'), 'utf8')).toContain(
      "const input = 'The first of many titles'; // replace with your own input\n",
    );
    const run = await benchCli(['run', 'benchmarks/read.js'], { cwd: project.directory });
    expect([run.exitCode, run.stderr]).toEqual([1, expect.stringMatching(/index\.js:1:\d+|read\.js:6:\d+/)]);
  });

  it.each([
    ...["a'b", 'a\nb', 'a\\b', '../a', '@/a', '', 'x'.repeat(215)].map((name) => ({ ...esm, name })),
    { ...esm, name: ['a'] },
    { ...esm, main: 1 },
  ])('refuses the package %j', async (fields) => {
    using project = gitRepository({ ...base, 'package.json': manifest(fields) });
    expect(await init(project, '--write')).toEqual(usageError('PROJECT', 'package.json'));
    expect(added(project)).toEqual([]);
  });

  it.each(["it's.js", 'a\u202eb.js'])('writes code that names the file %j', async (entry) => {
    const fields = { type: 'module', main: entry };
    using project = gitRepository({ 'package.json': manifest(fields), [entry]: slug });
    const { stdout } = await init(project);
    expect(stdout).toMatch(/from "\.\.\/[^\n]*\.js";/);
  });

  it.each([
    ['benchmarks', []],
    ['.github', ['workflow']],
  ])('writes nothing through %s that leads out of the project', async (link, words) => {
    using other = gitRepository({ a: '' });
    using project = gitRepository(base);
    symlinkSync(other.directory, project.path(link));
    const files = readdirSync(other.directory);
    expect(await init(project, ...words, '--write')).toEqual(usageError('PROJECT', `${link} is a link`));
    expect(readdirSync(other.directory)).toEqual(files);
  });

  it.runIf(process.platform === 'linux')('does not wait for a pipe', async () => {
    using project = gitRepository({ 'index.js': slug });
    rmSync(project.path('package.json'), { force: true });
    execFileSync('mkfifo', [project.path('package.json')]);
    expect(await init(project)).toEqual(usageError('PROJECT', project.directory));
  });

  it('refuses what it cannot read, and says what to do', async () => {
    using project = gitRepository({ 'package.json': manifest({ ...built, exports: './dist/index.js' }) });
    expect(await init(project)).toEqual(usageError('PROJECT', 'dist/index.js', '"npm run build"'));
    expect(await init(project, 'worflow')).toEqual(usageError('USAGE', '"worflow"'));
    rmSync(project.path('package.json'));
    expect(await init(project)).toEqual(usageError('PROJECT', dirname(join(project.directory, 'x'))));
  });
});
