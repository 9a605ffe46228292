import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { benchCli, commandIo } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { type TemporarySuite, temporarySuite, writeFiles } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';
import { run } from '../src/main.ts';
import { Interruption } from '../src/session/interruption.ts';

type Files = Readonly<Record<string, string>>;
const manifest = (fields: object) => JSON.stringify({ name: 'my-library', ...fields });
const esm = { type: 'module', exports: './index.js' };
const slug = 'export const slug = (title) => title.toLowerCase().split(/\\W+/).join("-");\n';
const built = { ...esm, scripts: { build: 'tsc' } };
const base = { 'package.json': manifest(esm), 'index.js': slug };
const nextOf = (words: readonly string[] = [], command = '') =>
  `npx bench-cli run${command}; after a change of the code: npx bench-cli ${['compare', ...words].join(' ')}${command}`;
const next = nextOf();

interface Written {
  /** The path of the benchmark; empty if none is written. */
  readonly benchmark?: string;
  /** A part of the benchmark, which is run. The others have the benchmark of one that is run. */
  readonly code?: string;
  /** The path of the config file; empty if none is written. */
  readonly config?: string;
  /** A part of the config file. */
  readonly text?: string;
  /** The command that follows. */
  readonly next?: string;
}

const arrow = 'module.exports = (text) => text.split(/ /);';
const property = 'const api = {}; api.pad = (text, count) => text.padEnd(count); module.exports = api;';
const others = 'export class A {}\nexport const open = () => { throw new Error(); };\n';
const typed = {
  'package.json': manifest({
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.ts' } },
  }),
  'tsconfig.json': '{}',
  'index.ts': 'export function sortAll(items: number[]): number[] { return items.toSorted(); }',
};
const builtBase = { ...base, 'package.json': manifest(built) };

/** Files of a project, and what is written where it differs from `benchmarks/slug.js` and `bench-cli.config.js`. */
const projects: readonly (readonly [string, Files, Written])[] = [
  ['npm', base, { code: "import { slug } from 'my-library';", text: "old: 'git:main'" }],
  [
    'TypeScript',
    typed,
    {
      benchmark: 'benchmarks/sort-all.ts',
      code: '[3, 1, 2]',
      config: 'bench-cli.config.ts',
      text: 'satisfies Config',
    },
  ],
  [
    'CommonJS',
    { 'package.json': manifest({ main: 'index.js' }), 'index.js': arrow },
    {
      ...{ benchmark: 'benchmarks/measured.mjs', code: "import measured from '../index.js';" },
      ...{ config: 'bench-cli.config.mjs', text: 'old:' },
    },
  ],
  [
    'CommonJS with an object',
    { 'package.json': manifest({}), 'index.js': property },
    { benchmark: 'benchmarks/pad.mjs', code: 'library.pad(input1, input2)', config: 'bench-cli.config.mjs' },
  ],
  [
    'only a program',
    { 'package.json': '{"bin":{"mine":"cli.js"}}' },
    {
      ...{ benchmark: '', config: 'bench-cli.config.mjs' },
      next: nextOf([], " 'node cli.js --help'"),
    },
  ],
  [
    'existing config',
    { ...base, 'bench-cli.config.mjs': 'export default {};' },
    { config: '', next: nextOf(['--old', 'git:main']) },
  ],
];

const init = ({ directory }: TemporarySuite, ...words: readonly string[]) =>
  benchCli(['init', ...words], { cwd: directory });

/** Files of a package outside of a repository, the benchmark that is written, and whether the package then has benchmarks. */
const packages: readonly (readonly [string, Files, benchmark: string, hasBenchmarks: boolean])[] = [
  [
    'functions that take no simple arguments, and classes',
    { 'index.js': `${others}${slug}` },
    'benchmarks/slug.js',
    true,
  ],
  [
    'functions that return collections',
    { 'index.js': 'export const count = (list) => new Set(list);' },
    'benchmarks/count.js',
    true,
  ],
  ['vitest', { 'src/a.bench.js': "import { bench } from 'vitest';" }, '', true],
  ['tinybench', { 'benchmarks/a.js': '' }, '', true],
  ['a byte order mark', { 'package.json': `\uFEFF${manifest(esm)}` }, 'benchmarks/slug.js', true],
  ['no exports', { 'package.json': '{}', 'index.js': '' }, '', false],
  ['no entry', { 'package.json': '{"exports":"./\\u0000.js"}', 'index.js': '' }, '', false],
];

/** A repository with one commit, which is that of all projects. */
const committed = untilEnd(gitRepository({}));

/** A package with these files. */
function packageOf(files: Files) {
  const suite = temporarySuite(files);
  const present = () =>
    readdirSync(suite.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.startsWith(suite.path('.git/')))
      .map(({ parentPath, name }) => relative(suite.directory, join(parentPath, name)));
  const before = new Set(present());
  /** The files that it did not have. */
  const added = () =>
    present()
      .filter((path) => !before.has(path))
      .sort();
  return { ...suite, added };
}

/** A package in a repository, with this address of its remote. */
function projectOf(files: Files, remote = '') {
  const project = packageOf(files);
  cpSync(committed.path('.git'), project.path('.git'), { recursive: true });
  if (remote !== '') appendFileSync(project.path('.git/config'), `[remote "origin"]\n\turl = ${remote}\n`);
  return project;
}

describe('bench-cli init', () => {
  it.each(projects)('writes what fits the project: %s', async (_, files, written) => {
    const { benchmark = 'benchmarks/slug.js', code = '', next: command = next } = written;
    const { config = 'bench-cli.config.js', text = '' } = written;
    using project = projectOf(files);
    const { stdout, exitCode } = await init(project, '--write');
    expect([exitCode, project.added()]).toEqual([0, [config, benchmark].filter(Boolean).sort()]);
    expect(stdout.endsWith(`\nNext: ${command}\n`)).toBe(true);
    const read = (path: string) => readFileSync(project.path(path), 'utf8');
    if (config !== '') expect(read(config)).toContain(text);
    if (code === '') return;
    expect(read(benchmark)).toContain(code);
    const run = await benchCli(['run', '--shortest', benchmark], { cwd: project.directory });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ ops\/s\n/) });
  });

  it.each(packages)(
    'writes no benchmark but that which fits the package: %s',
    async (_, files, benchmark, hasBenchmarks) => {
      using project = packageOf({ ...base, ...files });
      const { stdout, exitCode } = await init(project, '--write');
      expect([exitCode, project.added()]).toEqual([0, [benchmark].filter(Boolean)]);
      expect(stdout.includes('Next: npx bench-cli run\n')).toBe(hasBenchmarks);
    },
  );

  it('serves a package of a monorepo, which has the lockfile of its repository', async () => {
    const own = { 'packages/a/package.json': manifest(built), 'packages/a/index.js': slug };
    using project = projectOf({ 'pnpm-lock.yaml': '', ...own });
    expect(await benchCli(['init', '--write'], { cwd: project.path('packages/a') })).toMatchObject({
      exitCode: 0,
    });
    expect(project.added()).toEqual(['packages/a/bench-cli.config.js', 'packages/a/benchmarks/slug.js']);
    expect(readFileSync(project.path('packages/a/bench-cli.config.js'), 'utf8')).toContain('pnpm run build');
  });

  it('compares with the default branch of the remote', async () => {
    using project = projectOf(base);
    writeFiles(project.path('.git/refs/remotes/origin'), {
      HEAD: "ref: refs/remotes/origin/it's\n",
      "it's": readFileSync(project.path('.git/refs/heads/main'), 'utf8'),
    });
    expect((await init(project)).stdout).toContain(`old: "git:it's"`);
  });

  it('only runs benchmarks without a repository', async () => {
    using project = temporarySuite(base);
    expect((await init(project, '--write')).stdout).toMatch(/\nNext: npx bench-cli run\n$/);
    expect(existsSync(project.path('bench-cli.config.js'))).toBe(false);
  });

  it('names the command that installs bench-cli', async () => {
    using project = projectOf({ ...base, 'pnpm-lock.yaml': '' });
    rmSync(project.path('node_modules'), { recursive: true, force: true });
    expect((await init(project, '--write')).stdout).toMatch(
      /\nNext: pnpm add -D @bench-cli\/cli @bench-cli\/core && npx /,
    );
  });

  it('shows files without writing them if there is no terminal to ask', async () => {
    using project = projectOf(base);
    const { stdout, stderr } = await init(project);
    expect(stdout).toContain('benchmarks/slug.js\n');
    expect([stderr, project.added()]).toEqual([expect.stringContaining('--write'), []]);
  });

  it.each([
    ['y\n', 2],
    ['\n', 0],
  ])('asks on a terminal: %j', async (input, count) => {
    using project = projectOf(base);
    const { io } = commandIo({ cwd: project.directory, input }, { columns: 80 });
    Object.assign(io.stdin, { isTTY: true });
    expect(await run(['init'], io)).toBe(0);
    expect(project.added()).toHaveLength(count);
  });

  /** The jobs that were added. */
  const jobsIn = (project: ReturnType<typeof projectOf>) =>
    project.added().filter((path) => path.includes('.git'));
  const merge = 'commit these files, and open a merge request: ';
  const pull = merge.replace('merge', 'pull');

  it.each<[remote: string, Files, written: string[], said: string]>([
    ['git@github.com:me/my-library.git', {}, ['.github/workflows/benchmarks.yml'], pull],
    ['', { '.github/CODEOWNERS': '' }, ['.github/workflows/benchmarks.yml'], pull],
    ['https://gitlab.com/me/my-library.git', {}, ['.gitlab-ci.yml'], merge],
    [
      'ssh://git@gitlab.example.com:22/me/my-library',
      { '.github/CODEOWNERS': '' },
      ['.gitlab-ci.yml'],
      merge,
    ],
    [
      'https://git.example.com/me/my-library',
      { '.gitlab-ci.yml': 'test: {}' },
      ['.gitlab/benchmarks.yml'],
      merge,
    ],
    ['https://gitlab.com/a/b.git', { '.gitlab-ci.yml': 'script: bench-cli' }, [], 'keeps .gitlab-ci.yml'],
    ['git@bitbucket.org:a/b.git', { '.github/CODEOWNERS': '' }, [], 'bench-cli init workflow github'],
    ['https://git.example.com/a/b', {}, [], 'bench-cli init workflow github'],
  ])('writes the job of the host on request: %j %j', async (remote, files, written, said) => {
    using project = projectOf({ ...base, ...files }, remote);
    const { exitCode, stdout, stderr } = await init(project, 'workflow', '--write');
    expect([exitCode, jobsIn(project)]).toEqual([0, written]);
    expect(`${stdout}${stderr}`).toContain(said);
  });

  it.each([
    ['github', '.github/workflows/benchmarks.yml'],
    ['gitlab', '.gitlab-ci.yml'],
  ])('writes a job of %s that builds and compares, and replaces no file', async (host, written) => {
    using project = projectOf({ ...builtBase, 'pnpm-lock.yaml': '' });
    const shown = await init(project, 'workflow', host);
    expect([shown.stderr, jobsIn(project)]).toEqual([
      expect.stringContaining(`npx bench-cli init workflow ${host} --write`),
      [],
    ]);
    await init(project, 'workflow', host, '--write');
    const { jobs, benchmarks } = parse(readFileSync(project.path(written), 'utf8'));
    const steps = JSON.stringify(jobs?.compare.steps ?? benchmarks.script);
    expect(steps).toContain('pnpm install --frozen-lockfile && pnpm run build');
    expect(steps).toContain('bench-cli compare --old');
    writeFileSync(project.path(written), 'mine');
    await init(project, 'workflow', host, '--write');
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
      using project = projectOf({ ...own, ...files }, `https://${host}.com/me/my-library.git`);
      const words = { cwd: project.path(path) };
      expect(await benchCli(['init', 'workflow', '--write'], words)).toMatchObject({ exitCode: 0 });
      expect(jobsIn(project)).toEqual([written]);
      const job = Object.values(parse(readFileSync(project.path(written), 'utf8'))).at(-1);
      const entered = host === 'github' ? path : `cd '${path.replace("'", "'\\''")}'`;
      expect(JSON.stringify(job)).toContain(JSON.stringify(entered));
    },
  );

  it('imports nothing of the package, and calls nothing', async () => {
    const trap = "import { writeFileSync } from 'node:fs';\nwriteFileSync('imported', '');\n";
    const effects = ['deleteAccount(id)', 'sendMail(name, text)', 'stopProcess(pid)'].map(
      (signature) => `export function ${signature} { writeFileSync('called', ''); }\n`,
    );
    using project = temporarySuite({ ...base, 'index.js': `${trap}${effects.join('')}${slug}` });
    expect((await init(project, '--write')).stdout).toContain('benchmarks/slug.js');
    writeFileSync(project.path('index.js'), `${trap}${effects.join('')}`);
    rmSync(project.path('benchmarks'), { recursive: true });
    expect((await init(project, '--write')).stderr).toContain('no exported function');
    expect(['imported', 'called'].map((name) => existsSync(project.path(name)))).toEqual([false, false]);
  });

  const repeated = (part: (at: number) => string) =>
    Array.from({ length: 50_000 }, (_, at) => part(at)).join('');
  it.each([
    ['many exports', repeated((at) => `export const f${at} = (text) => text;\n`), 'benchmarks/f0.js\n'],
    [
      'many names that are exported later',
      `${repeated((at) => `function f${at}(text) {}\n`)}export {${repeated((at) => `f${at},`)}};`,
      'benchmarks/f0.js\n',
    ],
    ['many brackets that nothing closes', repeated((at) => `exports.f${at} = function (text, {\n`), ''],
    ['much text', 'export const f = (text) => text;\n', '', 80e6],
  ])('looks only at the beginning of a file with %s', async (_, code, benchmark, size = code.length) => {
    using project = temporarySuite({ ...base, 'index.js': code });
    truncateSync(project.path('index.js'), size);
    expect((await init(project)).stdout).toContain(benchmark);
  });

  it('writes nothing if it is interrupted while it reads the package', async () => {
    using project = projectOf(base);
    const controller = new AbortController();
    const { io } = commandIo({ cwd: project.directory, signal: controller.signal });
    const write = vi.spyOn(io.stdout, 'write');
    write.mockImplementationOnce(() => {
      // Node.js handles a signal in a later turn.
      setImmediate(() => controller.abort(new Interruption('SIGTERM')));
      return true;
    });
    expect(await run(['init', '--write'], io)).toBe(143);
    expect(project.added()).toEqual([]);
  });

  it('writes a benchmark whose arguments are marked as guesses, and which fails at its line if they are wrong', async () => {
    const code = 'export const read = (text) => JSON.parse(text);';
    using project = temporarySuite({ ...base, 'index.js': code });
    await init(project, '--write');
    expect(readFileSync(project.path('benchmarks/read.js'), 'utf8')).toContain(
      "const input = 'The first of many titles'; // replace with your own input\n",
    );
    const run = await benchCli(['run', 'benchmarks/read.js'], { cwd: project.directory });
    expect([run.exitCode, run.stderr]).toEqual([1, expect.stringMatching(/index\.js:1:\d+|read\.js:6:\d+/)]);
  });

  it.each<readonly [field: string, value: unknown]>([
    ...["a'b", 'a\nb', 'a\\b', '../a', '@/a', '', 'x'.repeat(215)].map((name) => ['name', name] as const),
    ['name', ['a']],
    ['main', 1],
  ])('refuses a package whose %s is %j', async (field, value) => {
    const fields = { ...esm, [field]: value };
    using project = temporarySuite({ ...base, 'package.json': manifest(fields) });
    const files = readdirSync(project.directory);
    expect(await init(project, '--write')).toEqual(
      usageError('PROJECT', 'package.json', `${field} ${JSON.stringify(value)} `),
    );
    expect(readdirSync(project.directory)).toEqual(files);
  });

  it.each([
    ["it's.js", '"../it\'s.js"'],
    ['a\u202eb.js', "'../a%E2%80%AEb.js'"],
    ['a?b#c`d%2f.js', "'../a%3Fb%23c%60d%252f.js'"],
    ['data:text/a.js', "'../data%3Atext/a.js'"],
  ])('writes code that imports the file %j', async (entry, from) => {
    const fields = { type: 'module', main: entry };
    using project = temporarySuite({ 'package.json': manifest(fields), [entry]: slug });
    expect((await init(project)).stdout).toContain(`import { slug } from ${from};`);
  });

  it.each(['bench', 'input2', 'createBenchmark', 'await', 'class', '__proto__'])(
    'writes code that can name the function %s',
    async (name) => {
      const code = `function f(text) {}\nexport { f as ${name} };`;
      using project = temporarySuite({ ...base, 'index.js': code });
      const [imported, called] = name === '__proto__' ? [name, name] : [`${name} as measured`, 'measured'];
      const { stdout } = await init(project);
      expect(stdout).toContain(`import { ${imported} } from 'my-library';`);
      expect(stdout).toContain(`() => ${called}(input)`);
    },
  );

  it.each([
    ['benchmarks', []],
    ['.github', ['workflow']],
  ])('writes nothing through %s that leads out of the project', async (link, words) => {
    using other = temporarySuite({ a: '' });
    using project = temporarySuite(base);
    symlinkSync(other.directory, project.path(link));
    const files = readdirSync(other.directory);
    expect(await init(project, ...words, '--write')).toEqual(usageError('PROJECT', `${link} is a link`));
    expect(readdirSync(other.directory)).toEqual(files);
  });

  it.runIf(process.platform === 'linux')('does not wait for a pipe', async () => {
    using project = temporarySuite({ 'index.js': slug });
    rmSync(project.path('package.json'));
    execFileSync('mkfifo', [project.path('package.json')]);
    expect(await init(project)).toEqual(usageError('PROJECT', project.directory));
  });

  it('refuses what it cannot read, and says what to do', async () => {
    using project = temporarySuite({ 'package.json': manifest({ ...built, exports: './dist/\nerror.js' }) });
    expect(await init(project)).toEqual(usageError('PROJECT', 'dist/\\nerror.js', '"npm run build"'));
    for (const words of ['worflow', 'workflow gitea', 'workflow github gitlab'])
      expect(await init(project, ...words.split(' '))).toEqual(
        usageError('USAGE', `"${words}"`, 'workflow github'),
      );
    rmSync(project.path('package.json'));
    expect(await init(project)).toEqual(usageError('PROJECT', dirname(join(project.directory, 'x'))));
  });
});
