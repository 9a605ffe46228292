import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { marked } from 'marked';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchCli, bin, root, sameSubjects } from '../../../test/support/command.ts';
import { rechained } from '../../../test/support/recording.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { skipWithout } from '../../../test/support/tools.ts';
import { runJob } from './github-action.ts';

skipWithout('jq');
skipWithout('zip');

/** Answers as GitHub does, from files, and logs what is written. It has one pull request, of a fork. */
const gh = `#!/bin/bash
[ "$GH_TOKEN $GH_REPO" = "secret o/r" ] || exit 4
at=repos/o/r
case "$*" in
  "api --paginate $at/issues/7/comments --jq "*) file=comments ;;
  "api --method GET $at/actions/workflows/pull-request-measure.yml/runs --raw-field event=pull_request --raw-field head_sha=abc --jq "*) file=runs ;;
  "api --method GET $at/pulls --raw-field state=open --raw-field head=stranger:feature --jq "*) file=pulls ;;
  "api --method GET $at/actions/runs/31/artifacts --raw-field name=bench-cli-results --jq "*) file=artifacts ;;
  "pr view 7 --json headRefOid --jq "*) file=pull ;;
  "pr view 7 --json comments --jq "*) file=own ;;
  "api $at/actions/artifacts/2/zip") exec cat artifact.zip ;;
  "run rerun 31" | "api --silent --method POST $at/issues/comments/5/reactions --raw-field content=rocket") echo "$*" >> log ; exit ;;
  "pr comment 7 --body-file "*) cp "$5" posted.md ; exit ;;
  "api --silent --method PATCH $at/issues/comments/9 --field body=@"*) cp "\${7#body=@}" replaced.md ; exit ;;
  *) exit 9 ;;
esac
exec jq -r "\${!#}" $file.json
`;

let project: TemporarySuite;

beforeEach(() => {
  project = temporarySuite({
    'bin/gh': gh,
    'bin/npm': '#!/bin/sh\n[ "$*" = "ci --ignore-scripts" ]\n',
    'bin/npx': `#!/bin/sh\n[ "$1 $2" = "--no bench-cli" ] || exit 9\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
    'benchmarks/g/a.js': benchmark('{ n: 1, text: ["x"] }'),
    'temporary/_keep': '',
  });
  know('pull', { headRefOid: 'abc' });
  know('runs', { workflow_runs: [{ id: 31 }, { id: 30 }] });
  know('pulls', [
    { number: 6, head: { sha: 'other' } },
    { number: 7, head: { sha: 'abc' } },
  ]);
  know('own', { comments: [] });
  know('artifacts', { artifacts: [artifact(1, '2026-01-01'), artifact(2, '2026-01-02')] });
});
afterEach(() => project[Symbol.dispose]());

/** What the API of GitHub has. */
const know = (name: string, value: unknown) =>
  writeFileSync(project.path(`${name}.json`), JSON.stringify(value));
const artifact = (id: number, created_at: string) => ({ id, created_at, size_in_bytes: 5000 });
const written = (name: string) =>
  existsSync(project.path(name)) ? readFileSync(project.path(name), 'utf8') : undefined;

/** Runs a job of the workflows. */
const run = (workflow: string, job: string, github: object) =>
  runJob(join(root, `docs/workflows/pull-request-${workflow}.yml`), job, {
    directory: project.directory,
    contexts: { github: { token: 'secret', repository: 'o/r', ...github } },
    env: { PATH: `${project.path('bin')}:${process.env['PATH']}`, RUNNER_TEMP: project.path('temporary') },
  });

describe('a comment /bench', () => {
  const commented = (body: string, author_association: string) =>
    run('start', 'start', {
      event: { issue: { number: 7, pull_request: {} }, comment: { id: 5, body, author_association } },
    });

  it('of a member starts the measurement of the last commit', async () => {
    expect(await commented('/bench g/a.js', 'MEMBER')).toMatchObject({ failed: undefined, ran: ['Start'] });
    expect(written('log')?.split('\n')).toEqual([
      'run rerun 31',
      'api --silent --method POST repos/o/r/issues/comments/5/reactions --raw-field content=rocket',
      '',
    ]);
  });

  it('of a stranger, and another comment of a member, start nothing', async () => {
    expect((await commented('/bench', 'CONTRIBUTOR')).ran).toEqual([]);
    expect((await commented('please /bench', 'OWNER')).ran).toEqual([]);
    expect((await commented('/benchmark', 'OWNER')).failed).toBe(undefined);
    expect(written('log')).toBe(undefined);
  });

  it('fails if there is no run to repeat', async () => {
    know('runs', { workflow_runs: [] });
    expect((await commented('/bench', 'OWNER')).failed).toBe('Start');
    expect(written('log')).toBe(undefined);
  });
});

describe('the request', () => {
  const requested = async (body: string, run_attempt = 2) => {
    know('comments', [
      { author_association: 'OWNER', body: '/bench g/old.js' },
      { author_association: 'COLLABORATOR', body },
      { author_association: 'NONE', body: '/bench g/evil.js' },
      { author_association: 'MEMBER', body: '/benchmark' },
    ]);
    const github = { run_attempt, event: { pull_request: { number: 7 } } };
    const { failed, outputs } = await run('measure', 'request', github);
    return failed ?? outputs['benchmarks'];
  };

  it('is the last one of a member, or nothing when a commit was pushed', async () => {
    expect(await requested('/bench g/a.js  url\r\nbecause')).toBe('g/a.js\nurl');
    expect(await requested('/bench')).toBe('all');
    expect(await requested('/bench', 1)).toBe('');
  });

  it.each(['--prepare=x', '../x', '/etc', '$(x)', 'a;b', '%'])('refuses %s', async (word) => {
    expect(await requested(`/bench g/a.js ${word}`)).toBe('Read the request');
  });
});

describe('the comment about a fork', () => {
  const recorded = new Map<string, string>();
  /** A session of the fork. */
  const results = async (metric = 'rate'): Promise<string> => {
    const before = recorded.get(metric);
    if (before !== undefined) return before;
    const words = ['--runs', '5', '--out', 'fork.jsonl', 'g', '--metric', metric];
    const compare = ['compare', ...sameSubjects, ...words];
    await benchCli(compare, { cwd: project.directory, scripted: anyRates() });
    const text = readFileSync(project.path('fork.jsonl'), 'utf8');
    recorded.set(metric, text);
    return text;
  };

  /** Posts a comment about an artifact with this file. */
  const post = async (text: string, head_sha = 'abc', run_attempt = 2) => {
    writeFileSync(project.path('results.jsonl'), text);
    await execa('zip', ['-q', 'artifact.zip', 'results.jsonl'], { cwd: project.directory });
    return run('comment', 'comment', {
      event: {
        workflow_run: {
          id: 31,
          event: 'pull_request',
          run_attempt,
          head_sha,
          head_branch: 'feature',
          head_repository: { owner: { login: 'stranger' } },
          html_url: 'https://github.example/o/r/actions/runs/31',
        },
      },
    });
  };

  it('is rendered from its results, and replaced by the next one', async () => {
    const text = await results();
    expect(await post(text)).toMatchObject({ failed: undefined });
    expect(written('posted.md')).toMatch(
      /^<!-- bench-cli: benchmarks -->\n[\s\S]*`g\/a\.js`[\s\S]*runs\/31\)/,
    );
    const own = { viewerDidAuthor: true, url: 'https://github.example/o/r/pull/7#issuecomment-9' };
    know('own', {
      comments: [
        { ...own, viewerDidAuthor: false, body: '<!-- bench-cli: benchmarks -->' },
        { ...own, body: '<!-- bench-cli: benchmarks -->\nformer' },
      ],
    });
    expect((await post(text)).failed).toBe(undefined);
    expect(written('replaced.md')).toBe(written('posted.md'));
  });

  it('is not written without a request, or about another commit than the last one', async () => {
    const text = await results();
    expect((await post(text, 'abc', 1)).ran).toEqual([]);
    expect((await post(text, 'former')).failed).toBe('Find the pull request');
    expect(written('posted.md')).toBe(undefined);
  });

  it('is not written about results that are too large, before or after they are unpacked, missing or no results', async () => {
    expect((await post('x'.repeat(20_000_001))).failed).toBe('Fetch the results');
    expect((await post('# A report\n@team')).failed).toBe('Report');
    expect((await post(rechained((await results()).replace(/"rate":\d+/, '"rate":"1 @team"')))).failed).toBe(
      'Report',
    );
    know('artifacts', { artifacts: [{ ...artifact(2, '2026-01-02'), size_in_bytes: 20_000_001 }] });
    expect((await post(await results())).failed).toBe('Fetch the results');
    know('artifacts', { artifacts: [] });
    expect((await post(await results())).failed).toBe('Fetch the results');
    expect(written('posted.md')).toBe(undefined);
  });

  it('has no markup, mention or workflow command of names and messages', async () => {
    const evil =
      '\n```\n::error::x\r\n##[error]y @team <img src=x onerror=alert(1)> ![i](https://evil.example) [a](b) ``` | &#64;team <!-- _e_ www.evil.example #1';
    const json = JSON.stringify(evil).slice(1, -1);
    const lines = (await results('rss'))
      .replaceAll('g/a.js', `g/a.js${json}`)
      .replaceAll('"text":"x"', `"text":"${json}"`)
      .replaceAll(/("(?:label|cpu|os|node|title)":")/g, `$1${json}`)
      .replaceAll('"subject":"new"', `"subject":"new${json}"`)
      .replaceAll('"name":"new"', `"name":"new${json}"`)
      .split('\n');
    const failed = lines.map((line) =>
      line.includes('"kind":"rate"') && line.includes('"round":4')
        ? JSON.stringify({
            ...JSON.parse(line),
            status: 'failed',
            failure: { kind: 'exit', message: evil, output: evil },
          })
        : line,
    );
    const { failed: step, output } = await post(rechained(failed.join('\n')));
    expect({ step, output }).toEqual({ step: undefined, output: expect.not.stringMatching(/^::|##\[/m) });
    const text = written('posted.md') ?? '';
    expect(text).toContain('team');
    const page = await marked.parse(text.replace(/^<!-- bench-cli: benchmarks -->/, ''));
    const live = page
      .replaceAll(/<code[^>]*>[^<]*<\/code>/g, '')
      .replace(/<a href="https:\/\/github[^>]*>/, '');
    expect(live).not.toMatch(/@|evil|<!--|<img|<a |#1|_e_/);
    // The tags are ours, whatever the verdict.
    const ours = new Set('p h3 details summary ul li table thead tr th tbody td pre'.split(' '));
    const tags = Array.from(live.matchAll(/<(\w+)/g), ([, tag = '']) => tag);
    expect(tags).toContain('td');
    expect(tags.filter((tag) => !ours.has(tag))).toEqual([]);
  });
});
