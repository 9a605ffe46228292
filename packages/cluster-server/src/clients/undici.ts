import type { Agent, Dispatcher, Pool } from 'undici';
import type { Answer } from '../client/answer.ts';
import type { ConnectionSettings, HttpClient, Target } from '../client/http-client.ts';
import { usesHttp2 } from '../server/address.ts';
import { protocols } from '../server/server-options.ts';

/** Sends a request with one of undici's methods. */
type Send = (pool: Pool, options: Dispatcher.RequestOptions, answer: Answer) => Promise<unknown>;

const ways: Readonly<Record<string, Send>> = {
  pipeline: (pool, { body, ...options }, answer) =>
    new Promise<void>((resolve, reject) => {
      const duplex = pool.pipeline(options, ({ statusCode, body: answered }) => {
        answer.status(statusCode);
        return answered;
      });
      duplex.once('error', reject);
      duplex.end(body);
      duplex.pipe(answer.writable()).once('finish', resolve);
    }),
  request: async (pool, options, answer) => {
    const { statusCode, body } = await pool.request(options);
    await answer.read(statusCode, body);
  },
  stream: (pool, options, answer) =>
    pool.stream(options, ({ statusCode }) => {
      answer.status(statusCode);
      return answer.writable();
    }),
  dispatch: (pool, options, answer) =>
    new Promise<void>((resolve, reject) => {
      const body = answer.writable().once('finish', resolve);
      pool.dispatch(options, {
        onRequestStart() {},
        onResponseStart(controller, status) {
          answer.status(status);
          body.on('drain', () => controller.resume());
        },
        onResponseData(controller, chunk) {
          if (!body.write(chunk)) controller.pause();
        },
        onResponseEnd: () => body.end(),
        onResponseError: (_controller, error) => reject(error),
      });
    }),
};

export const undiciClients: readonly HttpClient[] = Object.entries(ways).map(([way, send]) => ({
  name: `undici - ${way}`,
  protocols,
  unixSocket: true,
  package: 'undici',
  async connect(target, settings) {
    const undici = await import('undici');
    const { origin, pathname } = new URL(target.url);
    const pool = new undici.Pool(origin, poolOptions(target, settings));
    const options = {
      path: pathname,
      method: target.method,
      headers: target.headers,
      body: target.body ?? null,
      blocking: false,
      reset: false,
      headersTimeout: settings.headersTimeoutMs,
      bodyTimeout: settings.bodyTimeoutMs,
    };
    return { request: (answer) => send(pool, options, answer), close: () => pool.destroy() };
  },
}));

export function poolOptions({ protocol, socketPath }: Target, settings: ConnectionSettings): Pool.Options {
  return {
    ...agentOptions(settings),
    allowH2: usesHttp2(protocol),
    // Its types do not have it.
    ...(protocol === 'h2c' && { useH2c: true }),
    ...(socketPath !== undefined && { socketPath }),
  };
}

/** The settings as options of an agent or a pool of undici. */
export function agentOptions({
  connections,
  pipelining,
  headersTimeoutMs,
  bodyTimeoutMs,
}: ConnectionSettings): Agent.Options {
  return { connections, pipelining, headersTimeout: headersTimeoutMs, bodyTimeout: bodyTimeoutMs };
}
