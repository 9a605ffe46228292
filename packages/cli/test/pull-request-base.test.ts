import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../../test/support/command.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { scriptOf } from './github-action.ts';

let origin: TemporaryRepository;
let clones: TemporarySuite;
const commits = new Map<string, string>();

/** The bases of branches of pull requests, each with a history by its name. That of a merge with main is its newest commit. */
const bases = {
  // main has gone on since the branch began.
  stale: 'first',
  // The branch is in another repository.
  forked: 'first',
  // The branch was rebased after main had gone on.
  rebased: 'newest',
  // main has the first commit of the branch as a squashed commit.
  squashed: 'first',
  // The last commit of the branch is a merge of main.
  merging: 'newest',
};
const branches = Object.entries(bases);
const merged = 'newest';

beforeAll(() => {
  origin = gitRepository({ 'a.txt': '1' });
  clones = temporarySuite({});
  const { git, commit } = origin;
  const first = git('rev-parse', 'HEAD');
  for (const [name] of branches) {
    git('checkout', '--quiet', '-b', name, first);
    commit({ [`${name}.txt`]: '1' });
  }
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--squash', 'squashed');
  commit({ 'a.txt': '2' });
  const newest = commit({ 'a.txt': '3' });
  git('checkout', '--quiet', 'rebased');
  git('rebase', '--quiet', 'main');
  git('checkout', '--quiet', 'merging');
  git('merge', '--quiet', '--no-edit', 'main');
  commits.set('first', first).set('newest', newest);
  for (const [name] of branches) {
    git('checkout', '--quiet', name);
    if (name !== 'merging') commit({ [`${name}-2.txt`]: '2' });
    commits.set(name, git('rev-parse', 'HEAD'));
    git('checkout', '--quiet', '--detach', 'main');
    git('merge', '--quiet', '--no-ff', '--message', 'merge', name);
    git('update-ref', `refs/pull/${name}/merge`, 'HEAD');
    git('update-ref', `refs/pull/${name}/head`, name);
    if (name === 'forked') git('branch', '--quiet', '-D', name);
  }
  git('checkout', '--quiet', 'main');
  return () => {
    origin[Symbol.dispose]();
    clones[Symbol.dispose]();
  };
});
afterAll(() => commits.clear());

/** A clone as CI makes it, of one commit or of all. */
async function checkOut(ref: string, depth: string): Promise<string> {
  const directory = mkdtempSync(clones.path('clone-'));
  const git = (...args: readonly string[]) => execa('git', ['-C', directory, ...args]);
  await execa('git', ['init', '--quiet', directory]);
  await git('remote', 'add', 'origin', `file://${origin.directory}`);
  await git('fetch', '--quiet', ...(depth === '1' ? ['--depth=1'] : []), 'origin', ref);
  await git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
  return directory;
}

/** The name of the commit that a script names, which the clone then has with its files. */
async function baseIn(cwd: string, script: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  const output = join(cwd, '.git/output');
  await execa('bash', ['-eo', 'pipefail', '-c', script], { cwd, env: { ...env, GITHUB_OUTPUT: output } });
  const base = readFileSync(output, 'utf8').trim().split('=')[1] ?? '';
  await execa('git', ['ls-tree', '-r', base], { cwd });
  await execa('git', ['show', `${base}:a.txt`], { cwd });
  return commits.entries().find(([, commit]) => commit === base)?.[0] ?? base;
}

describe.each(['1', 'all'])('in a checkout of depth %s, the base', (depth) => {
  it.each(branches)('of a branch that is %s is that of the checked out commit', async (name, base) => {
    const script = scriptOf(join(root, 'action/action.yml'), 'Find the base');
    const env = { BASE: '', TARGET: 'main', HEAD: commits.get(name) ?? '' };
    const merge = await baseIn(await checkOut(`refs/pull/${name}/merge`, depth), script, env);
    const head = await baseIn(await checkOut(`refs/pull/${name}/head`, depth), script, env);
    expect({ merge, head }).toEqual({ merge: merged, head: base });
  });

  it.each(branches)('of a branch that is %s is that of the merge in a workflow with shards', async (name) => {
    const steps = z.object({ jobs: z.object({ measure: z.object({ steps: z.array(z.looseObject({})) }) }) });
    const workflow = readFileSync(join(root, 'docs/workflows/github-actions.yml'), 'utf8');
    const step = steps.parse(parse(workflow)).jobs.measure.steps.find((each) => each['id'] === 'base');
    const script = String(step?.['run']).replace('git -C new', 'git');
    const directory = await checkOut(`refs/pull/${name}/merge`, depth);
    await execa('git', ['-C', directory, 'fetch', '--quiet', 'origin', 'main']);
    expect(await baseIn(directory, script, {})).toBe(merged);
  });

  it.each(branches)('of a branch that is %s is found in GitLab', async (name, base) => {
    const job = z.object({ benchmarks: z.object({ script: z.array(z.string()) }) });
    const template = readFileSync(join(root, 'docs/workflows/gitlab-ci.yml'), 'utf8');
    const whole = job.parse(parse(template)).benchmarks.script.at(-1) ?? '';
    const script = `${whole.split('status=0')[0]}echo "base=$base" > "$GITHUB_OUTPUT"`;
    const env = { CI_MERGE_REQUEST_DIFF_BASE_SHA: commits.get(base) ?? '' };
    const withMerge = { ...env, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: commits.get(name) ?? '' };
    expect(await baseIn(await checkOut(`refs/pull/${name}/merge`, depth), script, withMerge)).toBe(merged);
    expect(await baseIn(await checkOut(`refs/pull/${name}/head`, depth), script, env)).toBe(base);
  });
});
