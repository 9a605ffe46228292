import type { Agent } from 'undici';
import type { ConnectionSettings } from '../client/http-client.ts';

/** The global agent of the undici in Node.js: by the first name from version 8 on, by the second one before. */
const names = [2, 1].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Connections with these settings for the fetch of Node.js, which takes agents of its own undici only.
 * @returns what each request gets, and a function that closes them
 */
export function connectionsForFetch(settings: ConnectionSettings) {
  // Node.js loads its undici, which sets its agent, for the first request.
  new Request('http://localhost');
  const global: Record<symbol, object | undefined> = globalThis;
  const current = names.map((name) => global[name]).find((agent) => agent !== undefined);
  if (current === undefined) {
    throw new Error('the connections of fetch cannot be limited in this version of Node.js');
  }
  const dispatcher: Pick<Agent, 'destroy'> = Reflect.construct(current.constructor, [agentOptions(settings)]);
  return { init: Object.assign<RequestInit, object>({}, { dispatcher }), close: () => dispatcher.destroy() };
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
