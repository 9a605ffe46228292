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

type Kind = 'merge' | 'head';

/** Makes a clone as CI does, of one commit or of all. Arguments: the repository, the reference, and options of fetch. */
const checkOut = `checkOut() {
  git init --quiet "$2" && cd "$2" && git remote add origin "file://$1"
  git fetch --quiet $4 origin "$3"
  git checkout --quiet --detach FETCH_HEAD
  cd ..
}`;
const depths = { 1: '--depth=1', all: '' };
const cloneOf = (depth: string, name: string, kind: Kind) => clones.path(`${depth}-${name}-${kind}`);

// One shell in place of hundreds of processes of this one.
beforeAll(async () => {
  const lines = Object.entries(depths).flatMap(([depth, option]) =>
    branches.flatMap(([name]) =>
      ['merge', 'head'].map(
        (kind) =>
          `checkOut '${origin.directory}' ${depth}-${name}-${kind} refs/pull/${name}/${kind} ${option}`,
      ),
    ),
  );
  await execa('sh', ['-ec', [checkOut, ...lines].join('\n')], { cwd: clones.directory });
});

/** The name of the commit that a script names in a copy of a clone, which then has it with its files. */
async function baseIn(
  clone: string,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const copy = mkdtempSync(clones.path('copy-'));
  const checked = `cp -R ${clone}/. . && export GITHUB_OUTPUT=.git/output
bash -eo pipefail -c "$SCRIPT"
base=$(cut -d = -f 2 .git/output)
git ls-tree -r "$base" > .git/files && git show "$base:a.txt" > .git/text && echo "$base"`;
  const { stdout } = await execa('bash', ['-euc', checked], { cwd: copy, env: { ...env, SCRIPT: script } });
  const base = stdout.split('\n').at(-1) ?? '';
  return commits.entries().find(([, commit]) => commit === base)?.[0] ?? base;
}

describe.each(Object.keys(depths))('in a checkout of depth %s, the base', (depth) => {
  it.each(branches)('of a branch that is %s is that of the checked out commit', async (name, base) => {
    const script = scriptOf(join(root, 'action/action.yml'), 'Find the base');
    const env = { BASE: '', TARGET: 'main', HEAD: commits.get(name) ?? '' };
    const merge = await baseIn(cloneOf(depth, name, 'merge'), script, env);
    const head = await baseIn(cloneOf(depth, name, 'head'), script, env);
    expect({ merge, head }).toEqual({ merge: merged, head: base });
  });

  it.each(branches)('of a branch that is %s is that of the merge in a workflow with shards', async (name) => {
    const steps = z.object({ jobs: z.object({ measure: z.object({ steps: z.array(z.looseObject({})) }) }) });
    const workflow = readFileSync(join(root, 'docs/workflows/github-actions.yml'), 'utf8');
    const step = steps.parse(parse(workflow)).jobs.measure.steps.find((each) => each['id'] === 'base');
    const script = String(step?.['run']).replace('git -C new', 'git');
    const afterFetch = `git fetch --quiet origin main\n${script}`;
    expect(await baseIn(cloneOf(depth, name, 'merge'), afterFetch, {})).toBe(merged);
  });

  it.each(branches)('of a branch that is %s is found in GitLab', async (name, base) => {
    const job = z.object({ benchmarks: z.object({ script: z.array(z.string()) }) });
    const template = readFileSync(join(root, 'docs/workflows/gitlab-ci.yml'), 'utf8');
    const whole = job.parse(parse(template)).benchmarks.script.at(-1) ?? '';
    const script = `${whole.split('status=0')[0]}echo "base=$base" > "$GITHUB_OUTPUT"`;
    const env = { CI_MERGE_REQUEST_DIFF_BASE_SHA: commits.get(base) ?? '' };
    const withMerge = { ...env, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: commits.get(name) ?? '' };
    expect(await baseIn(cloneOf(depth, name, 'merge'), script, withMerge)).toBe(merged);
    expect(await baseIn(cloneOf(depth, name, 'head'), script, env)).toBe(base);
  });
});
