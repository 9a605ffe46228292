import { defineClient } from '../client/http-client.ts';
import { agentFor } from './node-agent.ts';

export const nodeFetchClient = defineClient({
  name: 'node-fetch',
  package: 'node-fetch',
  async connect(target, settings) {
    const { default: fetch } = await import('node-fetch');
    const agent = agentFor(target, settings);
    const { method, headers, body, url } = target;
    const options = { method, headers, agent, redirect: 'error', body: body ?? null } as const;
    return {
      request: async (answer) => answer.readResponse(await fetch(url, options)),
      close: () => agent.destroy(),
    };
  },
});
