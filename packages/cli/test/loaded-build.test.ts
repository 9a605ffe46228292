import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '@bench-cli/results/recording';
import type { ScriptedExecutor } from '@bench-cli/runner';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchCli, root } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { cachedRepository } from '../../../test/support/git-repository.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const core = join(root, 'packages/core');
const prepare = `mkdir -p dist node_modules/@bench-cli && cp src/index.js src/part.js dist && ln -sfn ${core} node_modules/@bench-cli/core`;
const value = (number: number) => `import './part.js'; export const value = ${number};\n`;

/** A library whose benchmark imports its build, and the times of its files. */
const sourceTime = new Date('2026-01-02T10:00:00Z');
const buildTime = new Date('2026-01-02T10:30:00Z');
const later = new Date('2026-01-02T11:00:00Z');

const project = untilEnd(
  cachedRepository({
    '.gitignore': 'node_modules\ncache\ndist\n*.jsonl\n',
    'package.json': '{ "type": "module", "scripts": { "build": "true" } }\n',
    'src/index.js': value(1000),
    'src/part.js': '',
    'test/a.js': '',
    'benchmarks/g/a.js': benchmark('{ n: 1 }', 'bench.report(value + (process.pid % 7), 1n);', {
      head: "import { value } from '../../dist/index.js';",
    }),
  }),
);
const setTime = (time: Date, ...names: readonly string[]) => {
  for (const name of names) utimesSync(project.path(name), time, time);
};
beforeEach(() => {
  project.write({ 'src/part.js': '// changed\n', 'dist/index.js': value(500), 'dist/part.js': '' });
  setTime(sourceTime, 'src/index.js', 'src/part.js', 'benchmarks/g/a.js');
  setTime(buildTime, 'dist/index.js', 'dist/part.js');
});
afterEach(() => {
  project.restore();
  rmSync(project.path('r.jsonl'), { force: true });
});

const compared = (...words: readonly string[]) => comparedBy(anyRates(true), ...words);
const comparedBy = async (scripted: ScriptedExecutor | undefined, ...words: readonly string[]) => {
  const out = ['--out', project.path('r.jsonl'), '--format', 'markdown', '--no-progress'];
  const args = ['compare', '--old', 'git:main', '--prepare', prepare, '--runs', '2', ...out, ...words];
  const env = { BENCH_CLI_CACHE: project.path('cache') };
  return await benchCli(args, { cwd: project.directory, env, scripted });
};
const warning = 'warning: new loads dist/index.js';

describe('a build that git ignores', () => {
  it('has its time in the name of the working tree', async () => {
    const { exitCode, stdout, stderr } = await compared();
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('build of 2026-01-02 10:30 UTC')]);
    expect(stderr).not.toContain(warning);
    const { old, new: built } = readRecording(project.path('r.jsonl')).plan?.loaded ?? {};
    expect([old?.builtAt, built?.builtAt]).toEqual([undefined, buildTime.toISOString()]);
  });

  it('is doubted if it is older than a source', async () => {
    setTime(later, 'src/part.js');
    expect((await compared()).stderr).toMatch(new RegExp(`^${warning}.*src/part.js.*git:\\.`, 'm'));
  });

  it('is refused if it is that of another commit', async () => {
    project.write({ 'dist/index.js': value(1000) });
    setTime(buildTime, 'dist/index.js');
    setTime(later, 'src/part.js');
    const refused = usageError('STALE_BUILD', 'src/part.js changed', '--allow-same');
    expect(await compared()).toEqual(refused);
    expect(await compared('--affected', '--dry-run')).toEqual(refused);
    expect((await compared('--allow-same')).exitCode).toBe(0);
  });
});

describe('git:.', () => {
  it('is a copy of the working tree that is built as a commit, and nothing changes in the tree', async () => {
    project.write({ 'src/index.js': value(2000), 'src/new.js': '' });
    project.git('rm', '--quiet', '--force', 'test/a.js');
    const state = project.git('status', '--porcelain');
    const { exitCode } = await comparedBy(undefined, '--new', 'git:.');
    const { runs, session } = readRecording(project.path('r.jsonl'));
    const rates = runs.flatMap((run) =>
      run.status === 'ok' && run.subject === 'new' ? [run.values.rate] : [],
    );
    expect([exitCode, rates.every((rate) => rate >= 2000)]).toEqual([0, true]);
    expect(project.git('status', '--porcelain')).toBe(state);
    const { directory = '', changes } = session.request.subjects[1]?.source ?? {};
    const files = ['src/new.js', 'dist/index.js', 'test/a.js'].map((name) =>
      existsSync(join(directory, name)),
    );
    expect([files, changes]).toEqual([[true, true, false], expect.any(String)]);
  });

  it('requires --prepare', async () => {
    expect(await project.cli('compare', '--old', 'git:main', '--new', 'git:.')).toEqual(
      usageError('OPTION_CONFLICT', 'git:.', '--prepare'),
    );
  });
});
