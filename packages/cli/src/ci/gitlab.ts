import { z } from 'zod';
import { AccessDenied, type CommentHost, JsonApi } from './comment-host.ts';

const userSchema = z.object({ id: z.int() });
const noteSchema = z.object({ id: z.int(), body: z.string(), author: userSchema });
const changed = z.object({ id: z.int() });

/** The comments on the merge request of a job of GitLab CI; undefined outside of such a job. */
export function gitlabComments(env: NodeJS.ProcessEnv): CommentHost | undefined {
  const {
    CI_API_V4_URL: url,
    CI_MERGE_REQUEST_PROJECT_ID: project,
    CI_MERGE_REQUEST_IID: request,
    GITLAB_TOKEN: token = '',
  } = env;
  if (!url || !project || !request) return undefined;
  const api = new JsonApi('GitLab', url, { ...(token && { 'private-token': token }) });
  const notes = `/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(request)}/notes`;
  return {
    name: 'GitLab',
    limit: 1_000_000,
    async find(beginning) {
      if (!token) throw new AccessDenied('there is no token');
      const own = await api.ask(userSchema, 'GET', '/user');
      for await (const { id, body, author } of api.pages(noteSchema, `${notes}?per_page=100`)) {
        if (body.startsWith(beginning) && author.id === own.id) return `${notes}/${id}`;
      }
      return undefined;
    },
    async create(body) {
      await api.ask(changed, 'POST', notes, { body });
    },
    async update(note, body) {
      await api.ask(changed, 'PUT', note, { body });
    },
  };
}
