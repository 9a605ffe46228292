import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { startCommentServer } from '../../../test/support/comment-server.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

const marker = '<!-- bench-cli: benchmarks -->\n';

let files: TemporarySuite;
beforeAll(() => {
  files = temporarySuite({
    'comment.md': 'faster\n',
    'long.md': `${'a line of a report\n'.repeat(5000)}`,
    'event.json': '{ "pull_request": { "number": 7 } }',
    'push.json': '{}',
  });
});
afterAll(() => files[Symbol.dispose]());

const comment = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  benchCli(['comment', ...(args.length === 0 ? ['comment.md'] : args)], {
    cwd: files.directory,
    env: {
      GITHUB_REPOSITORY: '',
      GITHUB_API_URL: '',
      GITHUB_EVENT_PATH: '',
      GITHUB_TOKEN: '',
      CI_API_V4_URL: '',
      ...env,
    },
  });

const github = (url: string, token = 'secret', event = 'event.json') => ({
  GITHUB_REPOSITORY: 'o/r',
  GITHUB_API_URL: url,
  GITHUB_EVENT_PATH: files.path(event),
  GITHUB_TOKEN: token,
});

const others = Array.from({ length: 120 }, (_, at) => ['user', `comment ${at}`] as const);

describe('bench-cli comment on GitHub', () => {
  it('creates a comment, and then replaces it', async () => {
    await using server = await startCommentServer();
    const created = await comment(github(server.url));
    expect(created).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/^GitHub: created .*benchmarks\n$/),
    });
    expect(server.comments.map(({ body }) => body)).toEqual([`${marker}faster\n`]);
    expect(server.requests.at(-1)).toBe('POST /repos/o/r/issues/7/comments Bearer secret');
    await comment(github(server.url), 'long.md');
    expect(server.comments).toHaveLength(1);
    expect(server.requests.at(-1)).toBe('PATCH /repos/o/r/issues/comments/1 Bearer secret');
    const { body = '' } = server.comments[0] ?? {};
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/^(a line of a report\n)+\n.+\n?$/m);
  });

  it('finds its comment on another page, and leaves those of other people and jobs alone', async () => {
    await using server = await startCommentServer({
      comments: [
        ['user', `${marker}not ours`],
        ...others,
        ['bot', '<!-- bench-cli: nightly -->\nanother job'],
        ['bot', `quoted: ${marker}`],
        ['bot', `${marker}old`],
      ],
    });
    expect((await comment(github(server.url))).stderr).toMatch(/^GitHub: updated .*benchmarks\n$/);
    expect(server.comments).toHaveLength(124);
    expect(server.comments.at(-1)?.body).toBe(`${marker}faster\n`);
    expect(server.comments.filter(({ body }) => body.endsWith('faster\n'))).toHaveLength(1);
    await comment(github(server.url), '--id', 'nightly', 'comment.md');
    expect(server.comments.at(-3)?.body).toBe('<!-- bench-cli: nightly -->\nfaster\n');
  });

  it('recognizes the comments of a token that belongs to a person', async () => {
    await using server = await startCommentServer({ comments: [['bot', `${marker}old`]], user: 200 });
    await comment(github(server.url));
    expect(server.comments).toHaveLength(1);
  });

  it('only warns without a token, or with one that may not write comments', async () => {
    await using server = await startCommentServer({ changes: 403 });
    for (const env of [github(server.url), github(server.url, '')]) {
      const { exitCode, stderr } = await comment(env);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: expect.stringMatching(/^warning: GitHub: .*token.*forks\n$/),
      });
    }
    expect(server.comments).toEqual([]);
  });

  it('fails if the host does, and outside of a job of a pull request', async () => {
    await using server = await startCommentServer({ changes: 500 });
    expect(await comment(github(server.url))).toMatchObject(usageError('COMMENT', 'POST', '500'));
    const silent = `http://127.0.0.1:${await freePort()}`;
    expect(await comment(github(silent))).toMatchObject(usageError('COMMENT', 'ECONNREFUSED'));
    expect(await comment({})).toMatchObject(usageError('COMMENT', 'pull request'));
    expect(await comment(github(server.url, 'x', 'push.json'))).toMatchObject(usageError('COMMENT'));
  });
});

describe('bench-cli comment on GitLab', () => {
  const gitlab = (url: string, token = 'secret') => ({
    CI_API_V4_URL: `${url}/api/v4`,
    CI_MERGE_REQUEST_PROJECT_ID: '42',
    CI_MERGE_REQUEST_IID: '7',
    GITLAB_TOKEN: token,
  });

  it('creates a note, and then replaces it on whatever page it is', async () => {
    await using server = await startCommentServer({ comments: others, user: 200 });
    expect((await comment(gitlab(server.url))).stderr).toMatch(/^GitLab: created .*benchmarks\n$/);
    expect((await comment(gitlab(server.url))).stderr).toMatch(/^GitLab: updated .*benchmarks\n$/);
    expect(server.comments).toHaveLength(121);
    expect(server.requests.at(-1)).toBe('PUT /api/v4/projects/42/merge_requests/7/notes/121 secret');
  });

  it('only warns without a token', async () => {
    await using server = await startCommentServer();
    expect((await comment(gitlab(server.url, ''))).stderr).toMatch(/^warning: GitLab: .*token/);
    expect(server.requests).toEqual([]);
  });
});
