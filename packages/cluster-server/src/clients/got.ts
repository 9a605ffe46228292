import { readStream } from '../client/answer.ts';
import { defineClient } from '../client/http-client.ts';
import { agentFor } from './node-http.ts';

/** got's streams, without retries and redirects, whose answers are to other requests. */
export const gotClient = defineClient({
  name: 'got',
  package: 'got',
  async connect(target, settings) {
    const { default: got } = await import('got');
    const agent = agentFor(target, settings);
    const options = {
      method: target.method,
      headers: { ...target.headers },
      agent: { [target.protocol]: agent },
      retry: { limit: 0 },
      followRedirect: false,
      ...(target.body !== undefined && { body: target.body }),
    };
    return {
      request: (answer) => readStream(got.stream(target.url, options), answer),
      close: () => agent.destroy(),
    };
  },
});
