import { defineClient } from '../client/http-client.ts';
import { agentFor } from './node-agent.ts';

export const superagentClient = defineClient({
  name: 'superagent',
  package: 'superagent',
  async connect(target, settings) {
    const { default: superagent } = await import('superagent');
    const agent = agentFor(target, settings);
    const { method, url, headers, body } = target;
    return {
      request: (answer) =>
        new Promise<void>((resolve, reject) => {
          const request = superagent(method, url).agent(agent).redirects(0).set(headers);
          if (body !== undefined) request.send(body);
          request.once('error', reject);
          request.once('response', (response: { readonly statusCode: number }) =>
            answer.status(response.statusCode),
          );
          request.pipe(answer.writable()).once('finish', resolve);
        }),
      close: () => agent.destroy(),
    };
  },
});
