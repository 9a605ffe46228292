import type { Agent } from 'undici';
import type { ConnectionSettings } from '../client/http-client.ts';

/** The global agent of the undici in Node.js: by the first name from version 8 on, by the second one before. */
const names = [2, 1].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Makes the fetch of Node.js use an agent with these settings.
 * @returns what ends the connections, and gives the process back the agent that it had
 */
export function configureFetch(settings: ConnectionSettings): () => Promise<void> {
  // Node.js loads its undici, which sets its agent, for the first request.
  new Request('http://localhost');
  const global: Record<symbol, Agent | undefined> = globalThis;
  for (const name of names) {
    const current = global[name];
    if (current === undefined) continue;
    const agent: Agent = Reflect.construct(current.constructor, [agentOptions(settings)]);
    global[name] = agent;
    return async () => {
      global[name] = current;
      await agent.destroy();
    };
  }
  throw new Error('the connections of fetch cannot be limited in this version of Node.js');
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
