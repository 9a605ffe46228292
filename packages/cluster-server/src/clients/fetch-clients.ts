import type { Agent } from 'undici';
import type { FetchResponse } from '../client/answer.ts';
import type { ConnectionSettings, HttpClient, Target } from '../client/http-client.ts';
import { protocols } from '../server/server-options.ts';
import { agentFor } from './node-http.ts';
import { agentOptions, poolOptions } from './undici.ts';

/** A function like fetch, what each request gets, and a function that closes its connections. */
interface Fetching {
  readonly fetch: (url: string, options: object) => Promise<FetchResponse>;
  readonly options: object;
  close(): unknown;
}

/** The fetch of Node.js, which is that of the undici it contains. */
export const fetchClient = fetching({ name: 'fetch' }, (_, settings) => ({
  fetch,
  ...connectionsForFetch(settings),
}));

/** ky, which uses the fetch of Node.js, without retries. */
export const kyClient = fetching({ name: 'ky', package: 'ky' }, async (_, settings) => {
  const { default: fetch } = await import('ky');
  const { options, close } = connectionsForFetch(settings);
  return { fetch, options: { ...options, retry: 0, timeout: false }, close };
});

export const nodeFetchClient = fetching(
  { name: 'node-fetch', package: 'node-fetch' },
  async (target, settings) => {
    const { default: fetch } = await import('node-fetch');
    const agent = agentFor(target, settings);
    return { fetch, options: { agent, redirect: 'error' }, close: () => agent.destroy() };
  },
);

export const undiciFetchClient = fetching(
  { name: 'undici - fetch', protocols, unixSocket: true, package: 'undici' },
  async (target, settings) => {
    const { Agent, fetch } = await import('undici');
    const dispatcher = new Agent(poolOptions(target, settings));
    return { fetch, options: { dispatcher }, close: () => dispatcher.destroy() };
  },
);

function fetching(
  about: Omit<HttpClient, 'connect'>,
  load: (target: Target, settings: ConnectionSettings) => Fetching | Promise<Fetching>,
): HttpClient {
  return {
    ...about,
    async connect(target, settings) {
      const { url, method, headers, body = null } = target;
      const { fetch, options, close } = await load(target, settings);
      const all = { ...options, method, headers, body };
      return { request: async (answer) => answer.readResponse(await fetch(url, all)), close };
    },
  };
}

/** Connections with these settings for the fetch of Node.js, which takes agents of its own undici only. */
function connectionsForFetch(settings: ConnectionSettings) {
  // Node.js loads its undici, which sets its agent, for the first request.
  new Request('http://localhost');
  const global: Record<symbol, object | undefined> = globalThis;
  // By the first name from version 8 on, by the second one before.
  const names = [2, 1].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
  const current = names.map((name) => global[name]).find((agent) => agent !== undefined);
  if (current === undefined) {
    throw new Error('the connections of fetch cannot be limited in this version of Node.js');
  }
  const dispatcher: Pick<Agent, 'destroy'> = Reflect.construct(current.constructor, [agentOptions(settings)]);
  return { options: { dispatcher }, close: () => dispatcher.destroy() };
}
