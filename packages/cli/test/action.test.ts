import { appendFileSync, chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { bin, root } from '../../../test/support/command.ts';
import { type CommentServer, startCommentServer } from '../../../test/support/comment-server.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { inputsOf, type JobResult, runAction } from './github-action.ts';

/** A repository whose pull request makes one of two benchmarks slower. */
const measured = (name: string) =>
  benchmark(
    '{ n: 1 }',
    `const { ${name} } = await import('../../speed.js'); bench.report(${name} + (process.pid % 7), 1n);`,
  );

/** What `npm ci` does here. */
const install = `mkdir -p node_modules/@bench-cli && ln -sfn "${join(root, 'packages/core')}" node_modules/@bench-cli/core`;
const action = join(root, 'action/action.yml');

let project: TemporarySuite;
let base: string;

const git = async (...args: readonly string[]) =>
  (
    await execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: project.path('repository'),
    })
  ).stdout;

beforeEach(async () => {
  project = temporarySuite({
    'repository/package.json': '{ "type": "module" }',
    'repository/.gitignore': 'node_modules\noutputs\nsummary\n',
    'repository/speed.js': 'export const same = 1000, slower = 1000;\n',
    'repository/benchmarks/g/same.ts': measured('same'),
    'repository/benchmarks/g/slower.ts': measured('slower'),
    'event.json': '{ "pull_request": { "number": 7 } }',
    'temporary/_keep': '',
    'bin/npx': `#!/bin/sh\n[ "$1 $2" = "--no bench-cli" ] || exit 9\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
    'bin/npm': `#!/bin/sh\n[ "$1" = ci ] || exit 9\n${install}\n`,
    'bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
  });
  for (const name of ['npx', 'npm', 'node']) chmodSync(project.path(`bin/${name}`), 0o755);
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-qm', 'base');
  base = await git('rev-parse', 'HEAD');
});

afterEach(() => project[Symbol.dispose]());

async function propose(speed: string): Promise<void> {
  await execa('sh', ['-c', `echo "${speed}" > speed.js`], { cwd: project.path('repository') });
  await git('commit', '-qam', 'change');
}

const run = (server: CommentServer, inputs: Readonly<Record<string, string>> = {}): Promise<JobResult> =>
  runAction(action, {
    directory: project.path('repository'),
    inputs: {
      options: '--runs\n5\n',
      ...inputs,
    },
    context: {
      'github.event.pull_request.base.sha': base,
      'github.token': 'secret',
      'github.server_url': 'https://github.example',
      'github.repository': 'o/r',
      'github.run_id': '9',
    },
    env: {
      PATH: `${project.path('bin')}:${process.env['PATH']}`,
      RUNNER_TEMP: project.path('temporary'),
      BENCH_CLI_CACHE: project.path('cache'),
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_API_URL: server.url,
      GITHUB_EVENT_PATH: project.path('event.json'),
    },
  });

it('measures the pull request against its base, writes the summary and one comment, and fails by the gate', async () => {
  await using server = await startCommentServer();
  await propose('export const same = 1000, slower = 500;');
  const first = await run(server, { 'fail-on': 'slower>=5%\n' });
  expect(first.failed).toBe('Gate');
  expect(first.summary).toMatch(/slower\.ts/);
  expect(first.summary).toContain('[All figures](https://github.example/o/r/actions/runs/9)');
  expect(server.comments.map(({ body }) => body)).toEqual([
    `<!-- bench-cli: benchmarks -->\n${first.summary}`,
  ]);
  // Both versions run the benchmarks of the pull request, which it has changed.
  appendFileSync(project.path('repository/benchmarks/g/same.ts'), '// changed\n');
  await propose('export const same = 1000, slower = 1001;');
  const second = await run(server, { 'fail-on': 'slower>=5%\n' });
  expect(second).toMatchObject({ failed: undefined, ran: first.ran });
  expect(server.comments.map(({ body }) => body)).toEqual([
    `<!-- bench-cli: benchmarks -->\n${second.summary}`,
  ]);
  expect(second.summary).not.toBe(first.summary);
}, 120_000);

it('works for a fork without a token, and reports the others if a benchmark fails', async () => {
  await using server = await startCommentServer();
  await propose('export const same = 1000;');
  const { failed, summary, output } = await run(server, {
    token: '',
    benchmarks: 'g/same.ts\ng/slower.ts\n',
  });
  expect(failed).toBe('Measure');
  expect(summary).toMatch(/same\.ts/);
  expect(output).toContain('warning: GitHub: ');
  expect(server.requests).toEqual([]);
}, 120_000);

it('says that there is nothing to compare with outside of a pull request', async () => {
  await using server = await startCommentServer();
  const { failed, output } = await run(server, { base: '' });
  expect(failed).toBe('Fetch the base');
  expect(output).toContain('::error::');
}, 120_000);

it('has documentation of every input', () => {
  const page = readFileSync(join(root, 'docs/continuous-integration.md'), 'utf8');
  for (const name of inputsOf(action)) expect(page).toContain(`| \`${name}\``);
});

it('GitLab: measures a merge request against its target, comments on it, and fails by the gate', async () => {
  await using server = await startCommentServer({ user: 200 });
  await propose('export const same = 1000, slower = 500;');
  const job = z.object({ benchmarks: z.object({ script: z.array(z.string()) }) });
  const template = readFileSync(join(root, 'docs/workflows/gitlab-ci.yml'), 'utf8');
  const { script } = job.parse(parse(template)).benchmarks;
  const { exitCode, all } = await execa('bash', ['-eo', 'pipefail', '-c', script.join('\n')], {
    cwd: project.path('repository'),
    all: true,
    reject: false,
    env: {
      PATH: `${project.path('bin')}:${process.env['PATH']}`,
      BENCH_CLI_CACHE: project.path('cache'),
      GITHUB_REPOSITORY: '',
      CI_API_V4_URL: server.url,
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      GITLAB_TOKEN: 'secret',
    },
  });
  expect({ exitCode, all }).toEqual({
    exitCode: 1,
    all: expect.stringMatching(/GitLab: created .*benchmarks/),
  });
  expect(server.comments[0]?.body).toMatch(/slower\.ts/);
}, 120_000);
