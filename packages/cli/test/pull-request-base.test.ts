import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../../test/support/command.ts';
import { gitRepository, identity, type TemporaryRepository } from '../../../test/support/git-repository.ts';
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

/** Makes the branches and their merges with main, and prints the commits by their names. */
const history = `commit() { echo "$2" > "$1"; git add --all; git commit --quiet --message change; }
first=$(git rev-parse HEAD)
for name in ${Object.keys(bases).join(' ')}; do
  git checkout --quiet -b $name $first && commit $name.txt 1
done
git checkout --quiet main
git merge --quiet --squash squashed && commit a.txt 2 && commit a.txt 3
newest=$(git rev-parse HEAD)
git checkout --quiet rebased && git rebase --quiet main
git checkout --quiet merging && git merge --quiet --no-edit main
for name in ${Object.keys(bases).join(' ')}; do
  git checkout --quiet $name
  [ $name = merging ] || commit $name-2.txt 2
  echo $name $(git rev-parse HEAD)
  git checkout --quiet --detach main
  git merge --quiet --no-ff --message merge $name
  git update-ref refs/pull/$name/merge HEAD
  git update-ref refs/pull/$name/head $name
done
git branch --quiet -D forked
git checkout --quiet main
echo first $first && echo newest $newest`;

beforeAll(async () => {
  origin = gitRepository({ 'a.txt': '1' });
  clones = temporarySuite({});
  const { stdout } = await execa('sh', ['-ec', history], { cwd: origin.directory, env: identity });
  for (const line of stdout.split('\n')) {
    const [name = '', id = ''] = line.split(' ');
    commits.set(name, id);
  }
  return () => {
    origin[Symbol.dispose]();
    clones[Symbol.dispose]();
  };
});

/** Makes a clone as CI does, of one commit or of all. Arguments: the repository, the reference, and options of fetch. */
const checkOut = `checkOut() {
  git init --quiet "$2" && cd "$2" && git remote add origin "file://$1"
  git fetch --quiet $4 origin "$3"
  git checkout --quiet --detach FETCH_HEAD
  cd ..
}`;
const depths = { 1: '--depth=1', all: '' };
/** What is checked out: each branch, and a merge of one with main. */
const references = [...branches.map(([name]) => `${name}/head`), 'merging/merge'];
const cloneOf = (depth: string, reference: string) => `${depth}-${reference.replace('/', '-')}`;

// One shell in place of hundreds of processes of this one.
beforeAll(async () => {
  const lines = Object.entries(depths).flatMap(([depth, option]) =>
    references.map(
      (reference) =>
        `checkOut '${origin.directory}' ${cloneOf(depth, reference)} refs/pull/${reference} ${option}`,
    ),
  );
  await execa('sh', ['-ec', [checkOut, ...lines].join('\n')], { cwd: clones.directory });
});

const inAction = () => scriptOf(join(root, 'action/action.yml'), 'Find the base');
const workflow = (name: string) => parse(readFileSync(join(root, 'docs/workflows', name), 'utf8'));

function inShards(): string {
  const steps: { id?: string; run?: string }[] = workflow('github-actions.yml').jobs.measure.steps;
  const script = steps.find(({ id }) => id === 'base')?.run ?? 'false';
  return `git fetch --quiet origin main\n${script.replace('git -C new', 'git')}`;
}

function inGitLab(): string {
  const script: string[] = workflow('gitlab-ci.yml').benchmarks.script;
  return `${script.at(-1)?.split('status=0')[0]}echo "base=$base" > "$GITHUB_OUTPUT"`;
}

/** The variables of CI for a branch and its base. */
const variables = (branch: string, base: string, reference: string) => ({
  ...{ BASE: '', TARGET: 'main', HEAD: commits.get(branch) ?? '' },
  CI_MERGE_REQUEST_DIFF_BASE_SHA: commits.get(base) ?? '',
  // GitLab sets it in a pipeline for merged results.
  ...(reference.endsWith('merge') && { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: commits.get(branch) ?? '' }),
});

describe.each(Object.keys(depths))('in a checkout of depth %s, the base', (depth) => {
  it.each([
    ...references.map((reference) => [reference, 'the action', inAction] as const),
    ['merging/merge', 'a workflow with shards', inShards],
    ['merging/merge', 'GitLab', inGitLab],
    ['merging/head', 'GitLab', inGitLab],
    ['stale/head', 'GitLab', inGitLab],
  ] as const)('of %s is found in %s', async (reference, _, script) => {
    const [branch = '', kind] = reference.split('/');
    const [, base = ''] = branches.find(([name]) => name === branch) ?? [];
    const copy = mkdtempSync(clones.path('copy-'));
    const checked = `cp -R ../${cloneOf(depth, reference)}/. . && export GITHUB_OUTPUT=.git/output
bash -eo pipefail -c "$SCRIPT"
base=$(cut -d = -f 2 .git/output)
git ls-tree -r "$base" > .git/files && git show "$base:a.txt" > .git/text && echo "$base"`;
    const env = { ...variables(branch, base, reference), SCRIPT: script() };
    const { stdout } = await execa('bash', ['-euc', checked], { cwd: copy, env });
    // The commit is there with its files.
    expect(stdout.split('\n').at(-1)).toBe(commits.get(kind === 'merge' ? merged : base));
  });
});
