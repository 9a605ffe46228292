import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execa } from 'execa';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { minVersion, subset } from 'semver';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { bin, root } from '../../../test/support/command.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

const manifest = z.looseObject({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  private: z.boolean().optional(),
  engines: z.object({ node: z.string() }),
  license: z.string(),
  files: z.array(z.string()),
  keywords: z.array(z.string()),
  os: z.array(z.string()).optional(),
  exports: z.unknown().optional(),
  imports: z.unknown().optional(),
  bin: z.unknown().optional(),
});

const packages = readdirSync(join(root, 'packages')).map((directory) => ({
  directory: join(root, 'packages', directory),
  ...manifest.parse(JSON.parse(readFileSync(join(root, 'packages', directory, 'package.json'), 'utf8'))),
}));

/** A place outside of the workspace for tarballs and for a project that installs them. */
const outside = temporarySuite({});
const tarballs = new Map<string, string>();

beforeAll(async () => {
  const pack = ['--filter', './packages/*', 'pack', '--json', '--pack-destination', outside.directory];
  const { stdout } = await execa('npx', ['-y', 'pnpm', ...pack], { cwd: root });
  const packed = z.array(z.object({ name: z.string(), filename: z.string() })).parse(JSON.parse(stdout));
  for (const { name, filename } of packed) tarballs.set(name, filename);
  return () => outside[Symbol.dispose]();
});

/** Only processes of a Node.js that executes TypeScript load it. */
const compiler = 'oxc-transform';

/** The files of each package, except chunks, preloads, loaders of libraries, types, the other packages in that of the command, and what all have or their manifest names. */
const contents: Readonly<Record<string, string>> = {
  '@bench-cli/agent':
    'lib/LICENCES-library lib/LICENCES-preload lib/check/check-probe.cjs lib/check/exports-probe.cjs lib/metric/probe.cjs lib/metric/profile-probe.cjs',
  '@bench-cli/benchmarkers':
    'lib/LICENCES-autocannon lib/LICENCES-index lib/autocannon-process.js lib/open-loop-process.js lua/report.lua',
  '@bench-cli/cli':
    'bin/node-version.js lib/LICENCES-main lib/bin.js lib/compile-cache.js lib/index.js lib/main.js',
  '@bench-cli/cluster-server': 'lib/LICENCES-index lib/http-clients.js lib/runner.js lib/worker-process.js',
  '@bench-cli/core': '',
  '@bench-cli/report':
    'lib/LICENCES-index lib/LICENCES-page-script lib/fonts/Inter_400Regular.ttf lib/fonts/Inter_700Bold.ttf lib/fonts/OFL.txt',
  '@bench-cli/results': 'lib/LICENCES-index',
  '@bench-cli/runner': 'lib/LICENCES-index lib/reaper-process.js',
  '@bench-cli/stats': 'lib/LICENCES-distributions',
  '@bench-cli/subjects': 'lib/LICENCES-index lib/download-limit.js',
  '@bench-cli/system': 'lib/LICENCES-index',
};

/** The releases of Node.js that a dependency of a package takes. */
function enginesOf(directory: string, dependency: string): string {
  const text = readFileSync(join(directory, 'node_modules', dependency, 'package.json'), 'utf8');
  return JSON.parse(text).engines?.node ?? '*';
}

describe.each(packages)(
  'the package $name',
  ({ name, directory, dependencies, engines, license, keywords, os, exports, imports, bin: programs }) => {
    it('has nothing that publint finds wrong', async () => {
      const tarball = new Uint8Array(readFileSync(tarballs.get(name) ?? '')).buffer;
      const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
      const texts = messages.map((message) => stripVTControlCharacters(formatMessage(message, pkg) ?? ''));
      // Node.js reads "imports" and "exports" of the next package.json above, for the files of that package.
      const isWrong = (text: string) => !/^\.\/parts\/.* field, but it is ignored by Node.js/.test(text);
      expect(texts.filter(isWrong)).toEqual([]);
      expect(license).toBe('MIT');
    });

    it('can be found by its keywords, and installed on every system', () => {
      expect(keywords).toContain('benchmark');
      expect(os).toBe(undefined);
    });

    it('takes no Node.js that a dependency of it does not take', () => {
      const tooNew = Object.keys(dependencies).filter(
        (dependency) =>
          // Those commands that need it check for themselves.
          dependency !== '@bench-cli/cluster-server' &&
          dependency !== compiler &&
          !subset(engines.node, enginesOf(directory, dependency)),
      );
      expect(tooNew, 'use a release of the dependency that takes older releases of Node.js').toEqual([]);
    });

    it('has types that resolve as its code does', async () => {
      const tarball = createPackageFromTarballData(readFileSync(tarballs.get(name) ?? ''));
      const analysis = await checkPackage(tarball);
      // As the profile "esm-only" of attw does.
      const others = ['node10', 'node16-cjs'];
      const problems = (analysis.types ? analysis.problems : []).filter(
        (problem) => !('resolutionKind' in problem && others.includes(problem.resolutionKind)),
      );
      expect(problems).toEqual([]);
    });

    it('carries its licence and the files that it is made of, and nothing else', async () => {
      const { stdout } = await execa('tar', ['-tzf', tarballs.get(name) ?? '']);
      const files = stdout
        .split('\n')
        .map((file) =>
          file
            .replace(/^package\//, '')
            .replace(/^lib\/(?:chunk-|library\/|preload\/).*js$|^dist\/.*\.d\.ts$|^parts\/.*/, ''),
        );
      const named = JSON.stringify([exports, imports, programs]).match(/(?<="\.\/)[^"]+/g) ?? [];
      const inAll = ['', 'LICENSE', 'README.md', 'package.json', ...named];
      const remedy =
        'list what belongs to the package in contents of this file; "files" of package.json and scripts/bundle.ts decide';
      expect([...new Set(files).difference(new Set(inAll))].sort().join(' '), remedy).toBe(contents[name]);
    });
  },
);

it('the job that releases lists what is in each package', async () => {
  const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
  const steps: { name?: string; run?: string }[] = workflow.jobs.release.steps;
  const script = steps.find((step) => step.name === 'List what is in the packages')?.run ?? 'false';
  await execa('bash', ['-ec', script], { cwd: root, env: { RUNNER_TEMP: outside.directory } });
  const lists = packages.map(({ name }) => {
    const [file = ''] = globSync(`${name.replace('@', '').replace('/', '-')}-*.cdx.json`, {
      cwd: outside.directory,
    });
    return [name, JSON.parse(readFileSync(outside.path(file), 'utf8'))] as const;
  });
  for (const [, { bomFormat }] of lists) expect(bomFormat).toBe('CycloneDX');
  const { components } = new Map(lists).get('@bench-cli/results');
  expect(components).toContainEqual(expect.objectContaining({ name: 'zod', version: expect.any(String) }));
});

it('the command requires the Node.js version of its package', () => {
  const { version } =
    minVersion(packages.find(({ name }) => name === '@bench-cli/cli')?.engines.node ?? '') ?? {};
  const [major, minor] = version?.split('.') ?? [];
  const text = readFileSync(join(dirname(bin), 'node-version.js'), 'utf8');
  expect(text).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  expect(text).toContain(`requires Node.js ${major}.${minor} or later`);
});

/** What the compiler finds wrong in files of a project. */
async function typeErrors(directory: string, ...files: readonly string[]): Promise<string> {
  const options = '--noEmit --strict --skipLibCheck false --target es2024 --module nodenext'.split(' ');
  const types = [
    ...'--lib es2024,esnext --types node --typeRoots'.split(' '),
    join(root, 'node_modules/@types'),
  ];
  const local = { cwd: directory, preferLocal: true, localDir: root, reject: false };
  return (await execa('tsc', [...options, ...types, ...files], local)).stdout;
}

/** Checks the types of the examples of embed.md in a project, and runs them there with the Node.js of the tests. */
async function runDocumented(directory: string): Promise<void> {
  const text = readFileSync(join(root, 'docs/embed.md'), 'utf8');
  const blocks = Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  expect(blocks).toHaveLength(3);
  // Much slower without compiled code.
  const script = benchmark(
    '{ n: 1e5 }',
    'let sum = 0; bench.start(); for (let i = 0; i < conf.n * 10; i++) sum += i % 7; bench.end(conf.n);',
  );
  writeFileSync(join(directory, 'benchmarks/parse.js'), script);
  const files = blocks.map((code, at) => {
    const local = code
      .replace(/'node@2[26]'/g, 'process.execPath')
      // Without compiled code, Node.js runs no TypeScript.
      .replaceAll('parse.ts', 'parse.js')
      .replaceAll("flags: ['--no-opt']", "flags: ['--jitless']");
    writeFileSync(join(directory, `example-${at}.ts`), local);
    return `example-${at}.ts`;
  });
  expect(await typeErrors(directory, ...files)).toBe('');
  for (const file of files) {
    const { stdout, stderr } = await execa(process.execPath, [file], { cwd: directory, reject: false });
    expect(stdout, stderr).toMatch(/slow/);
  }
}

/** The KiB of all files of a directory. */
function sizeOf(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  return files.reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0) / 1024;
}

describe('a project outside of this workspace', () => {
  const project = join(outside.directory, 'project');
  let manifests: readonly string[];

  beforeAll(async () => {
    for (const group of ['strings', 'http'])
      mkdirSync(join(project, 'benchmarks', group), { recursive: true });
    const dependencies = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
    const fields = { name: 'project', private: true, type: 'module', dependencies, overrides: dependencies };
    writeFileSync(join(project, 'package.json'), JSON.stringify(fields));
    await execa('npm', ['install', '--no-audit', '--no-fund'], { cwd: project });
    manifests = globSync('**/node_modules/{[!@.]*,@*/*}/package.json', { cwd: project });
    cpSync(join(root, 'benchmarks/es/string-concat.ts'), join(project, 'benchmarks/strings/concat.ts'));
    const http = readFileSync(join(root, 'benchmarks/http/chunked.ts'), 'utf8');
    const quick = http
      .replace('warmUpSeconds: 3', 'warmUpSeconds: 0, port: server.address().port')
      .replace('listen(PORT', 'listen(0');
    writeFileSync(join(project, 'benchmarks/http/chunked.ts'), quick);
  });

  it('imports the packages, and runs a benchmark', async () => {
    const imports = await execa(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createBenchmark } from '@bench-cli/core';
         import { runSession } from '@bench-cli/cli';
         import { summarizeSample } from '@bench-cli/stats';
         console.log(typeof createBenchmark, typeof runSession, summarizeSample([1, 2, 6]).mean);`,
      ],
      { cwd: project },
    );
    expect(imports.stdout).toBe('function function 3');
    const installed = join(project, 'node_modules/.bin/bench-cli');
    const run = await execa(installed, ['run', '--format', 'simple', 'strings', 'test'], { cwd: project });
    expect(run.stdout).toMatch(/strings\/concat\.ts .*: [\d,.]+$/);
    const load = ['--set', 'benchmarker=autocannon', '--set', 'duration=1', 'http', 'test'];
    const loaded = await execa(installed, ['run', '--format', 'simple', ...load], { cwd: project });
    expect(loaded.stdout).toMatch(/http\/chunked\.ts .*benchmarker="autocannon": [\d,.]+ \(p50 .*\)$/);
  });

  it.each([
    ['npm', ['npm', 'install', '--no-audit', '--no-fund']],
    ['pnpm, which hides dependencies of dependencies', ['npx', '-y', 'pnpm', 'add']],
  ])('is installed from two files, with no other package of this repository, by %s', async (name, words) => {
    const directory = join(outside.directory, `two-files-${name.slice(0, 3)}`);
    mkdirSync(join(directory, 'benchmarks'), { recursive: true });
    writeFileSync(join(directory, 'package.json'), '{ "name": "two", "private": true, "type": "module" }');
    cpSync(join(root, 'benchmarks/es/string-concat.ts'), join(directory, 'benchmarks/concat.ts'));
    const [program = '', ...args] = words;
    const files = ['cli', 'core'].map((part) => tarballs.get(`@bench-cli/${part}`) ?? '');
    await execa(program, [...args, ...files], { cwd: directory });
    expect(readdirSync(join(directory, 'node_modules/@bench-cli')).sort()).toEqual(['cli', 'core']);
    const run = await execa('npx', ['bench-cli', 'run', '--format', 'simple', 'test'], { cwd: directory });
    expect(run.stdout).toMatch(/concat\.ts .*: [\d,.]+$/);
    const old = ['-y', '--package=node@20', 'node', '--input-type=module', '-e'];
    const refused = await execa('npx', [...old, "import '@bench-cli/cli';"], {
      cwd: directory,
      reject: false,
    });
    expect(refused.stderr).toContain('bench-cli requires Node.js 22.19 or later, and this is 20.');
    await execa(process.execPath, ['-e', "require('@bench-cli/cli').compare.name"], { cwd: directory });
    await runDocumented(directory);
  });

  it("compares a commit under the Plug'n'Play of Yarn, which installs no node_modules", async () => {
    using repository = gitRepository({
      '.gitignore': '.yarn\nnode_modules\n',
      '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nnpmMinimalAgeGate: 0\n',
      'package.json': '{ "name": "plugged", "type": "module" }',
      'yarn.lock': '',
      'src/value.js': 'export const value = 1000;',
      'bench/a.js': benchmark('{ n: 1 }', 'bench.report(value + (process.pid % 7), 1n);', {
        head: "import { value } from '../src/value.js';",
      }),
    });
    rmSync(repository.path('node_modules'), { recursive: true, force: true });
    const { stdout: registry } = await execa('npm', ['config', 'get', 'registry']);
    const env = { YARN_NPM_REGISTRY_SERVER: registry, BENCH_CLI_CACHE: outside.path('plugged-cache') };
    const yarn = (...args: readonly string[]) =>
      execa('npm', ['exec', '--yes', '--package=@yarnpkg/cli-dist@4', '--', 'yarn', ...args], {
        cwd: repository.directory,
        env,
      });
    const files = ['cli', 'core'].map(
      (part) => `@bench-cli/${part}@file:${tarballs.get(`@bench-cli/${part}`)}`,
    );
    await yarn('add', '-D', ...files);
    repository.commit({});
    repository.write({ 'src/value.js': 'export const value = 2000;' });
    const words = 'compare --old git:main --runs 6 --format csv --no-progress bench/a.js'.split(' ');
    const { stdout } = await yarn('bench-cli', ...words);
    expect(stdout).toMatch(/^"?old"?,.*\b10\d\d\b/m);
    expect(stdout).toMatch(/^"?new"?,.*\b20\d\d\b/m);
  });

  it('shows an error that a program does not catch in lines that can be read', async () => {
    const program = `import { compare } from '@bench-cli/cli';
      await compare({ items: ['missing'], old: {}, new: {}, runs: 1, allowSame: true });`;
    const { stderr, exitCode } = await execa(process.execPath, ['--input-type=module', '-e', program], {
      cwd: project,
      reject: false,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("code: 'ERR_BENCH_SELECTION'");
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(300);
  });

  it('has the types of every package, without the packages that only bench-cli itself is built with', async () => {
    const entries = [
      ...[
        'core',
        'core/protocol',
        'benchmarkers',
        'benchmarkers/contract',
        'cluster-server',
        'stats',
        'system',
      ],
      ...[
        'report',
        'report/page',
        'report/plot',
        'results',
        'results/recording',
        'runner',
        'cli',
        'cli/config',
      ],
    ];
    const lines = entries.map((entry, at) => `export * as e${at} from '@bench-cli/${entry}';`);
    writeFileSync(join(project, 'types.ts'), lines.join('\n'));
    expect(await typeErrors(project, 'types.ts')).toBe('');
  });

  it('has @bench-cli/core alone within 3 MB, and all packages within 30 MB', () => {
    const remedy = 'bundle a library: make it a development dependency, imported by src';
    const core = packages.find(({ name }) => name === '@bench-cli/core');
    expect(core?.dependencies, remedy).toEqual({});
    expect(sizeOf(join(project, 'node_modules/@bench-cli/core'))).toBeLessThan(3 * 1024);
    expect(manifests.length, remedy).toBeLessThanOrEqual(16);
    expect(sizeOf(join(project, 'node_modules')), 'KiB of all packages').toBeLessThan(30 * 1024);
  });

  it('installs only packages whose licences allow use in any project', () => {
    const licences = manifests.map((path): string => {
      const { name, license } = JSON.parse(readFileSync(join(project, path), 'utf8'));
      return `${name}: ${license}`;
    });
    expect(licences.length).toBeGreaterThan(3);
    // MPL-2.0 covers only the files of the package itself.
    expect(
      licences.filter((licence) => !/: (MIT|ISC|Apache-2.0|BSD-[23]-Clause|MPL-2.0)$/.test(licence)),
    ).toEqual([]);
  });
});
