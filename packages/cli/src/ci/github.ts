import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AccessDenied, type CommentHost, JsonApi } from './comment-host.ts';

const eventSchema = z.object({ pull_request: z.object({ number: z.int() }).optional() });
const userSchema = z.object({ login: z.string(), type: z.string().optional() });
const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: userSchema.nullish(),
});
const changed = z.object({ id: z.int() });

/** The comments on the pull request of a job of GitHub Actions; undefined outside of such a job. */
export function githubComments(env: NodeJS.ProcessEnv): CommentHost | undefined {
  const {
    GITHUB_REPOSITORY: repository,
    GITHUB_EVENT_PATH: path,
    GITHUB_API_URL: url,
    GITHUB_TOKEN: token = '',
  } = env;
  if (!repository || !path || !url) return undefined;
  const number = eventSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).pull_request?.number;
  if (number === undefined) return undefined;
  const api = new JsonApi('GitHub', url, {
    accept: 'application/vnd.github+json',
    ...(token && { authorization: `Bearer ${token}` }),
  });
  const comments = `/repos/${repository}/issues/${number}/comments`;

  /** The token of a job belongs to an app, which cannot ask for its name. */
  async function isOwn(): Promise<(user: z.infer<typeof userSchema>) => boolean> {
    try {
      const { login } = await api.ask(userSchema, 'GET', '/user');
      return (user) => user.login === login;
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      return (user) => user.type === 'Bot';
    }
  }

  return {
    name: 'GitHub',
    limit: 65_536,
    async find(beginning) {
      if (!token) throw new AccessDenied('there is no token');
      const own = await isOwn();
      for await (const { id, body, user } of api.pages(commentSchema, `${comments}?per_page=100`)) {
        if (body?.startsWith(beginning) && user && own(user))
          return `/repos/${repository}/issues/comments/${id}`;
      }
      return undefined;
    },
    async create(body) {
      await api.ask(changed, 'POST', comments, { body });
    },
    async update(comment, body) {
      await api.ask(changed, 'PATCH', comment, { body });
    },
  };
}
