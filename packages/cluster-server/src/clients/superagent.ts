import { readStream } from '../client/answer.ts';
import { defineClient } from '../client/http-client.ts';
import { agentFor } from './node-http.ts';

export const superagentClient = defineClient({
  name: 'superagent',
  package: 'superagent',
  async connect(target, settings) {
    const { default: superagent } = await import('superagent');
    const agent = agentFor(target, settings);
    const { method, url, headers, body } = target;
    return {
      request(answer) {
        const request = superagent(method, url).agent(agent).redirects(0).set(headers);
        if (body !== undefined) request.send(body);
        return readStream(request, answer);
      },
      close: () => agent.destroy(),
    };
  },
});
