import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { benchCli, bin, root } from '../../../test/support/command.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { privateCache } from '../../../test/support/suite.ts';
import { ciOptions } from '../src/init/first-files.ts';

/** The job that `init workflow` writes for GitLab in a package of a workspace. workspaces.measured.test.ts has that for GitHub. */

const slug = (turns: number) =>
  `export const slug = (title) => { let text = ''; for (let n = 0; n < ${turns}; n++) text = title.toLowerCase().split(/\\W+/).join('-') + n; return text; };\n`;
const own = 'packages/a';

/** What each merge request changes, the exit code of its job, and what the report says. */
const pullRequests: readonly (readonly [what: string, string, string, exitCode: number, report: RegExp])[] = [
  ['only docs', 'README.md', 'Changed', 0, /Nothing that a benchmark loads has changed/],
  ['slower code', `${own}/index.js`, slug(900), 1, /slower[\s\S]*slug\.js/],
  [
    'a new benchmark',
    `${own}/benchmarks/new.js`,
    "import { createBenchmark } from '@bench-cli/core';\nimport { slug } from 'a';\ncreateBenchmark((_, bench) => bench.measure(() => slug('b')), {});\n",
    0,
    /Nothing that a benchmark loads has changed/,
  ],
];

let project: TemporaryRepository;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  project = gitRepository({
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
    [`${own}/package.json`]: '{ "name": "a", "type": "module", "exports": "./index.js" }',
    [`${own}/index.js`]: slug(300),
  });
  project.write({
    '.git/bin/npx': `#!/bin/sh\n[ "$1 $2" = "--no bench-cli" ] || exit 9\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
    '.git/bin/npm': `#!/bin/sh\n[ "$1" = install ] && [ "$PWD" = "${project.directory}" ] || exit 9\n`,
  });
  env = {
    PATH: `${project.path('.git/bin')}:${process.env['PATH']}`,
    BENCH_CLI_CACHE: privateCache(project),
    CI_PROJECT_DIR: project.directory,
  };
  project.git('branch', 'before');
  project.git('remote', 'add', 'origin', 'https://gitlab.com/me/library.git');
  const { exitCode } = await benchCli(['init', 'workflow', '--write'], { cwd: project.path(own) });
  expect(exitCode).toBe(0);
  project.commit({ '.gitignore': 'node_modules\noutputs\nsummary\nreport.md\ncache\n' });
});
afterAll(() => project[Symbol.dispose]());

/** Runs the job for the merge of a branch with its base. */
async function runFor(base: string, branch: string) {
  const { git, directory: cwd } = project;
  git('checkout', '--quiet', '--detach', base);
  git('merge', '--quiet', '--no-ff', '--message', 'merge', branch);
  const jobs: Record<string, { script: string[] }> = parse(
    readFileSync(project.path('.gitlab-ci.yml'), 'utf8'),
  );
  const [job] = Object.values(jobs);
  const { exitCode } = await execa('bash', ['-ec', job?.script.join('\n') ?? 'false'], {
    cwd,
    env: { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: git('rev-parse', base) },
    reject: false,
  });
  return { exitCode, report: readFileSync(project.path('report.md'), 'utf8') };
}

it.each(pullRequests)('judges a merge request with %s', async (...[what, path, text, exitCode, report]) => {
  const branch = what.replaceAll(' ', '-');
  project.git('checkout', '--quiet', 'main');
  project.commit({ [path]: text }, branch);
  expect(await runFor('main', branch)).toEqual({ exitCode, report: expect.stringMatching(report) });
});

it('succeeds for the merge request that adds bench-cli', async () => {
  const report = expect.stringContaining('Nothing that a benchmark loads has changed');
  expect(await runFor('before', 'main')).toEqual({ exitCode: 0, report });
});

it.each(['action/action.yml', 'docs/workflows/gitlab-ci.yml', 'docs/continuous-integration.md'])(
  'the command of %s has the same options',
  (path) => {
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\\\n', '');
    const [command = ''] = /bench-cli compare --old .*/.exec(text) ?? [];
    expect(command.split(/\s+/)).toEqual(expect.arrayContaining(ciOptions));
  },
);
