import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export interface ServedComment {
  readonly id: number;
  readonly body: string;
  /** As both hosts name the author of a comment. */
  readonly user: { readonly login: string; readonly type: string };
  readonly author: { readonly id: number };
}

/** Comments on one pull request, as the APIs of GitHub and GitLab serve them, 100 at most per page. */
export interface CommentServer extends AsyncDisposable {
  readonly url: string;
  readonly comments: readonly ServedComment[];
  /** The method and path of each request, and its token. */
  readonly requests: readonly string[];
}

export interface CommentServerOptions {
  /** The bodies of the comments that are there, by author. */
  readonly comments?: readonly (readonly [author: 'bot' | 'user', body: string])[];
  /** The status of each answer to a request that changes something. Default: success. */
  readonly changes?: number;
  /** The status of the answer to the question who has the token. Default: success. */
  readonly user?: number;
}

const authors = {
  bot: { user: { login: 'github-actions[bot]', type: 'Bot' }, author: { id: 1 } },
  user: { user: { login: 'someone', type: 'User' }, author: { id: 2 } },
};

export async function startCommentServer({
  comments: given = [],
  changes = 200,
  user = 403,
}: CommentServerOptions = {}): Promise<CommentServer> {
  const comments: ServedComment[] = given.map(([author, body], at) => ({
    id: at + 1,
    body,
    ...authors[author],
  }));
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push(`${method} ${url} ${headers.authorization ?? headers['private-token'] ?? ''}`.trim());
    const answer = (status: number, value: unknown, more = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(JSON.stringify(value));
    };
    const body = await text(request);
    const { pathname, searchParams } = new URL(url, base);
    if (pathname.endsWith('/user')) return answer(user, { id: 1, login: 'github-actions[bot]' });
    if (method === 'GET') {
      const page = Number(searchParams.get('page') ?? 1);
      const size = Number(searchParams.get('per_page') ?? 30);
      const next = `<${base}${pathname}?per_page=${size}&page=${page + 1}>; rel="next"`;
      const hasNext = comments.length > page * size;
      return answer(200, comments.slice((page - 1) * size, page * size), hasNext ? { link: next } : {});
    }
    if (changes !== 200) return answer(changes, { message: 'refused' });
    const at =
      method === 'POST' ? comments.length : comments.findIndex(({ id }) => pathname.endsWith(`/${id}`));
    comments[at] = { ...authors.bot, ...comments[at], id: at + 1, body: JSON.parse(body).body };
    answer(200, comments[at]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: base,
    comments,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
