import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execa } from 'execa';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { minVersion, subset } from 'semver';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bin, root } from '../../../test/support/command.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { temporarySuite } from '../../../test/support/suite.ts';

const manifest = z.looseObject({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  private: z.boolean().optional(),
  engines: z.object({ node: z.string() }),
  license: z.string(),
  files: z.array(z.string()),
});

const packages = readdirSync(join(root, 'packages')).map((directory) => ({
  directory: join(root, 'packages', directory),
  ...manifest.parse(JSON.parse(readFileSync(join(root, 'packages', directory, 'package.json'), 'utf8'))),
}));

/** A place outside of the workspace for tarballs and for a project that installs them. */
const outside = temporarySuite({});
const tarballs = new Map<string, string>();

beforeAll(async () => {
  for (const { directory, name } of packages) {
    const { stdout } = await execa(
      'npx',
      ['-y', 'pnpm', 'pack', '--json', '--pack-destination', outside.directory],
      {
        cwd: directory,
      },
    );
    const { filename } = z.object({ filename: z.string() }).parse(JSON.parse(stdout));
    tarballs.set(name, filename);
  }
  return () => outside[Symbol.dispose]();
});

/** The Node.js versions that a dependency of a package supports. */
function enginesOf(directory: string, dependency: string): string {
  const text = readFileSync(join(directory, 'node_modules', dependency, 'package.json'), 'utf8');
  return (
    z.object({ engines: z.object({ node: z.string() }).optional() }).parse(JSON.parse(text)).engines?.node ??
    '*'
  );
}

describe.each(packages)('the package $name', ({ name, directory, dependencies, engines, license }) => {
  it('passes publint', async () => {
    const tarball = new Uint8Array(readFileSync(tarballs.get(name) ?? '')).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    expect(license).toBe('MIT');
  });

  it('requires a Node.js version that all its dependencies support', () => {
    const tooNew = Object.keys(dependencies).filter(
      (dependency) =>
        // The commands that use the cluster server check the version, and core loads tinybench only for bench.measure().
        !['@bench-cli/cluster-server', 'tinybench'].includes(dependency) &&
        !subset(engines.node, enginesOf(directory, dependency)),
    );
    expect(tooNew).toEqual([]);
  });

  it('has types that resolve like its code', async () => {
    const tarball = createPackageFromTarballData(readFileSync(tarballs.get(name) ?? ''));
    // The load process is started, not imported.
    const analysis = await checkPackage(tarball, { excludeEntrypoints: ['./load-process'] });
    // The packages are ESM only, so types for require() do not matter.
    const problems = analysis.types
      ? analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM' && kind !== 'NoResolution')
      : [];
    expect(problems).toEqual([]);
  });

  it('contains its licence, and no source, test or build state', async () => {
    const { stdout } = await execa('tar', ['-tzf', tarballs.get(name) ?? '']);
    const files = stdout.split('\n');
    expect(files).toContain('package/LICENSE');
    expect(files).toContain('package/README.md');
    expect(files.filter((file) => /\/(src|test)\/|tsbuildinfo|\.test\./.test(file))).toEqual([]);
  });
});

it('the command requires the Node.js version of its package', () => {
  const { version } = minVersion(packages.find(({ name }) => name === 'bench-cli')?.engines.node ?? '') ?? {};
  const [major, minor] = version?.split('.') ?? [];
  const text = readFileSync(bin, 'utf8');
  expect(text).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  expect(text).toContain(`requires Node.js ${major}.${minor} or later`);
});

describe('a project outside of this workspace', () => {
  it('installs the packages, imports them, and runs a benchmark', { timeout: 300_000 }, async () => {
    const project = join(outside.directory, 'project');
    for (const group of ['strings', 'http'])
      mkdirSync(join(project, 'benchmarks', group), { recursive: true });
    const files = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({
        name: 'project',
        private: true,
        type: 'module',
        dependencies: files,
        overrides: files,
      }),
    );
    cpSync(join(root, 'benchmarks/es/string-concat.ts'), join(project, 'benchmarks/strings/concat.ts'));
    cpSync(join(root, 'benchmarks/http/chunked.ts'), join(project, 'benchmarks/http/chunked.ts'));
    await execa('npm', ['install', '--no-audit', '--no-fund'], { cwd: project });
    const imports = await execa(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createBenchmark } from '@bench-cli/core';
         import { runSession } from '@bench-cli/runner';
         import { summarizeSample } from '@bench-cli/stats';
         console.log(typeof createBenchmark, typeof runSession, summarizeSample([1, 2]).mean);`,
      ],
      { cwd: project },
    );
    expect(imports.stdout).toBe('function function 1.5');
    const run = await execa('npx', ['bench-cli', 'run', 'strings', 'test'], { cwd: project });
    expect(run.stdout).toMatch(/strings\/concat\.ts .*: [\d,.]+$/);
    const load = ['--set', 'benchmarker=wrk', '--set', 'duration=1', 'http', 'test'];
    const loaded = await execa('npx', ['bench-cli', 'run', ...load], {
      cwd: project,
      env: { PORT: String(await freePort()) },
    });
    expect(loaded.stdout).toMatch(/http\/chunked\.ts .*benchmarker="wrk": [\d,.]+$/);
  });
});
