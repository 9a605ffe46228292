import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bin, root } from '../../../test/support/command.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { inputsOf, type Job, type JobResult, runAction, runJob, scriptOf } from './github-action.ts';

/** A repository whose pull request makes one of two benchmarks slower. */
const measured = (name: string) =>
  benchmark('{ n: 1 }', `bench.report(${name} + (process.pid % 7), 1n);`, {
    head: `import { ${name} } from '../../speed.js';`,
  });

/** What `npm ci` does here. */
const install = `mkdir -p node_modules/@bench-cli && ln -sfn "${join(root, 'packages/core')}" node_modules/@bench-cli/core`;
const action = join(root, 'action/action.yml');

/** Comments of a pull request, one a file. Nobody may write them without a token. */
const gh = `#!/bin/bash
[ "$GH_REPO $PULL_REQUEST" = "o/r 7" ] && [ "$GH_TOKEN" = secret ] || { echo "gh: not allowed" >&2; exit 4; }
case "$*" in
  "pr view 7 --json comments --jq "*)
    file=$(grep -lxF -- "$MARKER" "$POSTED"/*.md) && echo "https://github.example/o/r/pull/7#issuecomment-$(basename "$file" .md)"
    exit 0 ;;
  "pr comment 7 --body-file "*) cp "$5" "$POSTED/$(ls "$POSTED" | wc -l).md" ;;
  "api --silent --method PATCH repos/o/r/issues/comments/"*" --field body=@"*) cp "\${7#body=@}" "$POSTED/\${5##*/}.md" ;;
  *) exit 9 ;;
esac
`;

/** The notes of a merge request: one after the first call that writes. */
const curl = `#!/bin/bash
[[ "$*" == *"PRIVATE-TOKEN: secret"* ]] || exit 22
note="$POSTED/note.md"
case "$*" in
  *" https://gitlab.example/api/v4/projects/42/merge_requests/7/notes?per_page=100")
    [ -e "$note" ] && printf '[{ "id": 1, "body": "first" }, { "id": 5, "body": "<!-- bench-cli -->" }]' || echo '[]' ;;
  *" --data-urlencode body@note.md "*" --request PUT "*/notes/5) echo replaced >> note.md; cp note.md "$note" ;;
  *" --data-urlencode body@note.md "*/notes) cp note.md "$note" ;;
  *) exit 9 ;;
esac
`;

let project: TemporaryRepository;
let base: string;
let head: string;

beforeEach(() => {
  project = gitRepository({
    'package.json': '{ "type": "module" }',
    '.gitignore': 'node_modules\noutputs\nsummary\ncache\n',
    'speed.js': 'export const same = 1000, slower = 1000;\n',
    'benchmarks/g/same.js': measured('same'),
    'benchmarks/g/slower.js': measured('slower'),
  });
  project.write({
    '.git/bin/npx': `#!/bin/sh\n[ "$1 $2" = "--no bench-cli" ] || exit 9\nshift 2\n[ -z "$REPORT_ALONE" ] || exec echo report\nexec "${process.execPath}" "${bin}" "$@"\n`,
    '.git/bin/npm': `#!/bin/sh\n[ "$1" = ci ] || exit 9\n${install}\n`,
    '.git/bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
    '.git/bin/gh': gh,
    '.git/bin/curl': curl,
    '.git/info/exclude': '',
    '.git/posted/_keep': '',
    '.git/temporary/_keep': '',
  });
  privateCache(project);
  base = project.git('rev-parse', 'HEAD');
  project.git('branch', 'feature');
});

afterEach(() => project[Symbol.dispose]());

/** Checks out the merge of a pull request with its base, as GitHub does. */
function propose(text: string, file = 'speed.js'): void {
  project.git('checkout', '-q', 'feature');
  head = project.commit({ [file]: `${text}\n` });
  project.git('checkout', '-q', '--detach', base);
  project.git('merge', '-q', '--no-ff', '-m', 'merge', 'feature');
}

/** The comments of the pull request. */
const posted = () =>
  readdirSync(project.path('.git/posted'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(project.path(`.git/posted/${name}`), 'utf8'));

const job = (): Job => ({
  directory: project.directory,
  contexts: {
    github: {
      event: { pull_request: { base: { ref: 'main' }, head: { sha: head }, number: 7 } },
      token: 'secret',
      server_url: 'https://github.example',
      repository: 'o/r',
      run_id: 9,
    },
    runner: { os: 'Linux', arch: 'X64' },
  },
  env: {
    PATH: `${project.path('.git/bin')}:${process.env['PATH']}`,
    RUNNER_TEMP: project.path('.git/temporary'),
    BENCH_CLI_CACHE: project.path('cache'),
    POSTED: project.path('.git/posted'),
  },
});

const run = (inputs: Readonly<Record<string, string>> = {}): Promise<JobResult> =>
  runAction(action, job(), { options: '--runs\n8\n', ...inputs });

it('measures the pull request against its base, writes the summary and one comment, and fails by the gate', async () => {
  propose('export const same = 1000, slower = 500;');
  const first = await run({ 'fail-on': 'slower>=5%\n' });
  expect(first.failed).toBe('Gate');
  expect(first.output.match(/^::.*?::/gm)).toEqual([
    '::error file=benchmarks/g/slower.js,line=3,title=bench-cli::',
  ]);
  expect(first.summary).toMatch(/slower\.js/);
  expect(first.summary).toContain('[All figures](https://github.example/o/r/actions/runs/9)');
  expect(posted()).toEqual([`<!-- bench-cli: benchmarks -->\n${first.summary}`]);
  // Both versions run the benchmarks of the pull request, which it has changed.
  appendFileSync(project.path('benchmarks/g/same.js'), '// changed\n');
  propose('export const same = 1000, slower = 1001;');
  const second = await run({ 'fail-on': 'slower>=5%\n', benchmarks: 'g/same.js' });
  expect(second).toMatchObject({ failed: undefined, ran: first.ran });
  expect(posted()).toEqual([`<!-- bench-cli: benchmarks -->\n${second.summary}`]);
  expect(second.summary).not.toBe(first.summary);
});

it('says in the comment that nothing which a benchmark loads has changed', async () => {
  propose('# Changed', 'README.md');
  expect((await run({ 'fail-on': 'slower>=5%\n' })).failed).toBe(undefined);
  expect(posted()).toEqual([expect.stringContaining('Nothing that a benchmark loads has changed')]);
});

it('measures a package below the root, and accepts failures with --allow-missing', async () => {
  mkdirSync(project.path('p'));
  project.git('mv', 'package.json', 'speed.js', 'benchmarks', 'p/');
  renameSync(project.path('node_modules'), project.path('p/node_modules'));
  base = project.commit({});
  project.git('branch', '-f', 'feature');
  propose('export const same = 1000, slower = 500, added = 1;', 'p/speed.js');
  propose(measured('added'), 'p/benchmarks/g/new.js');
  const inputs = { 'working-directory': 'p', 'fail-on': 'slower>=90%\n', install: 'true', benchmarks: 'all' };
  const refused = await run(inputs);
  expect(refused.output).toContain('::error file=p/benchmarks/g/new.js');
  expect(refused.failed).toBe('Measure');
  const accepted = await run({ ...inputs, options: '--runs\n8\n--allow-missing\n' });
  expect(accepted).toMatchObject({ failed: undefined });
});

it('works for a fork without a token, and reports the others if a benchmark fails', async () => {
  propose('export const same = 1000;');
  const { failed, summary, output } = await run({
    token: '',
    options: '--runs\n2\n',
    benchmarks: 'g/same.js\ng/slower.js\n',
  });
  expect(failed).toBe('Measure');
  expect(summary).toMatch(/same\.js/);
  expect(output).toContain('::warning::');
  expect(posted()).toEqual([]);
});

it('measures a fork in a workflow that writes no comment, and keeps the results for the one that does', async () => {
  propose('export const same = 1000, slower = 500;');
  const { contexts, ...rest } = job();
  const needs = { request: { outputs: { benchmarks: 'g/slower.js\ng/same.js' } } };
  const workflow = join(root, 'docs/workflows/pull-request-measure.yml');
  const { failed, summary, ran } = await runJob(workflow, 'measure', {
    ...rest,
    contexts: { ...contexts, needs },
  });
  expect({ failed, ran, posted: posted() }).toEqual({
    failed: 'Gate',
    ran: expect.not.arrayContaining(['Comment']),
    posted: [],
  });
  expect(summary).toMatch(/slower\.js[\s\S]*same\.js/);
  const skipped = { ...rest, contexts: { ...contexts, needs: { request: { outputs: {} } } } };
  expect((await runJob(workflow, 'measure', skipped)).ran).toEqual([]);
});

it('cuts a report that is too long for a comment, and leaves the comments of other jobs alone', async () => {
  writeFileSync(project.path('.git/posted/1.md'), '<!-- bench-cli: other -->\nother\n');
  const text = 'a line of a report\n'.repeat(5000);
  writeFileSync(project.path('comment.md'), text);
  const step = {
    COMMENT: project.path('comment.md'),
    MARKER: '<!-- bench-cli: own -->',
    PULL_REQUEST: '7',
    GH_REPO: 'o/r',
    GH_TOKEN: 'secret',
    POSTED: project.path('.git/posted'),
    PATH: `${project.path('.git/bin')}:${process.env['PATH']}`,
  };
  await execa('bash', ['-eo', 'pipefail', '-c', scriptOf(action, 'Comment')], { env: step });
  const [other, own = ''] = posted();
  expect(other).toMatch(/other\n$/);
  expect(own.length, 'GitHub takes no longer comment').toBeLessThanOrEqual(65_536);
  expect(own.startsWith(`${step.MARKER}\n${text.slice(0, 64_000)}`)).toBe(true);
  expect(own.split('\n').slice(-4, -2)).toEqual(['a line of a report', '']);
});

it('says that there is nothing to compare with outside of a pull request', async () => {
  const { contexts, ...rest } = job();
  const { failed, output } = await runAction(action, { ...rest, contexts: { ...contexts, github: {} } }, {});
  expect(failed).toBe('Find the base');
  expect(output).toContain('::error::');
});

it('gives git no option in place of a base', async () => {
  project.git('remote', 'add', 'origin', project.directory);
  const { failed } = await run({ base: '--upload-pack=touch pwned;' });
  expect(failed).toBe('Find the base');
  expect(readdirSync(project.directory)).not.toContain('pwned');
});

it('has documentation of every input', () => {
  const page = readFileSync(join(root, 'docs/continuous-integration.md'), 'utf8');
  const missing = inputsOf(action).filter((name) => !page.includes(`| \`${name}\``));
  expect(missing, 'add a row for each to the page').toEqual([]);
});

it('GitLab: measures a merge request against its target, comments on it, and fails by the gate', async () => {
  propose('export const same = 1000, slower = 500;');
  const template = readFileSync(join(root, 'docs/workflows/gitlab-ci.yml'), 'utf8');
  const script: string[] = parse(template).benchmarks.script;
  const start = (env: Readonly<Record<string, string>>) =>
    execa('bash', ['-eo', 'pipefail', '-c', script.join('\n')], {
      cwd: project.directory,
      all: true,
      reject: false,
      env: {
        PATH: `${project.path('.git/bin')}:${process.env['PATH']}`,
        BENCH_CLI_CACHE: project.path('cache'),
        CI_API_V4_URL: 'https://gitlab.example/api/v4',
        CI_MERGE_REQUEST_PROJECT_ID: '42',
        CI_MERGE_REQUEST_IID: '7',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        GITLAB_TOKEN: 'secret',
        POSTED: project.path('.git/posted'),
        ...env,
      },
    });
  const { exitCode, all } = await start({});
  expect({ exitCode, all }).toEqual({ exitCode: 1, all: expect.not.stringContaining('no comment') });
  expect(posted()).toEqual([expect.stringMatching(/^<!-- bench-cli -->\n[\s\S]*slower\.js/)]);
  await start({ REPORT_ALONE: 'yes' });
  expect(posted()).toEqual(['<!-- bench-cli -->\nreport\nreplaced\n']);
  expect(await start({ REPORT_ALONE: 'yes', GITLAB_TOKEN: '' })).toMatchObject({
    exitCode: 0,
    all: expect.stringContaining('warning: no comment'),
  });
});
