import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A place with comments on one pull request or merge request. */
export interface CommentHost {
  readonly name: string;
  /** The most characters of a comment. */
  readonly limit: number;
  /** The path of the own comment that begins with a text; undefined if there is none. */
  find(beginning: string): Promise<string | undefined>;
  create(body: string): Promise<void>;
  update(path: string, body: string): Promise<void>;
}

/** The host refuses the token, as for a pull request of a fork. */
export class AccessDenied extends Error {}

/** The part of a JSON API over HTTP that comments need. */
export class JsonApi {
  readonly #name: string;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param base the URL that paths are appended to */
  constructor(name: string, base: string, headers: Readonly<Record<string, string>>) {
    this.#name = name;
    this.#base = base.replace(/\/$/, '');
    this.#headers = { 'content-type': 'application/json', 'user-agent': 'bench-cli', ...headers };
  }

  /** Sends a request and checks the form of the answer. */
  async ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    const response = await this.#send(method, `${this.#base}${path}`, body);
    return this.#read(schema, response);
  }

  /** All items of a list, page by page. */
  async *pages<T>(schema: z.ZodType<T>, path: string): AsyncGenerator<T> {
    for (let url: string | undefined = `${this.#base}${path}`; url !== undefined; ) {
      const response = await this.#send('GET', url);
      yield* await this.#read(z.array(schema), response);
      url = nextPage(response.headers.get('link'), url);
    }
  }

  async #send(method: string, url: string, body?: object): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: this.#headers,
        signal: AbortSignal.timeout(60_000),
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      throw this.#failure(method, url, String(cause));
    }
    if (response.ok) return response;
    const text = (await response.text()).slice(0, 300);
    if (response.status === 401 || response.status === 403) throw new AccessDenied(text);
    throw this.#failure(method, url, `${response.status} ${text}`);
  }

  async #read<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    throw this.#failure('GET', response.url, `an unexpected answer: ${z.prettifyError(parsed.error)}`);
  }

  #failure(method: string, url: string, problem: string): UsageError {
    return new UsageError(
      'ERR_BENCH_COMMENT',
      `${this.#name} did not do ${method} ${url}: ${problem}; check the address and the token, or run the job again`,
    );
  }
}

/** The address of the next page in a Link header. The token must not go to another host. */
function nextPage(link: string | null, current: string): string | undefined {
  const [, next] = /<([^>]+)>;[^,]*\brel="next"/.exec(link ?? '') ?? [];
  if (next === undefined) return undefined;
  const url = new URL(next, current);
  return url.origin === new URL(current).origin ? url.href : undefined;
}
