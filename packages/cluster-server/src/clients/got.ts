import { readStream } from '../client/answer.ts';
import { defineClient } from '../client/http-client.ts';

/** got's streams, without retries and redirects, whose answers are to other requests. */
export const gotClient = defineClient({
  name: 'got',
  package: 'got',
  async connect(target, settings) {
    const { default: got } = await import('got');
    const sockets = { keepAlive: true, maxSockets: settings.connections };
    const agents = {
      http: new (process.getBuiltinModule('node:http').Agent)(sockets),
      https: new (process.getBuiltinModule('node:https').Agent)(sockets),
    };
    const options = {
      method: target.method,
      headers: { ...target.headers },
      agent: agents,
      retry: { limit: 0 },
      followRedirect: false,
      ...(target.body !== undefined && { body: target.body }),
    };
    return {
      request: (answer) => readStream(got.stream(target.url, options), answer),
      close() {
        agents.http.destroy();
        agents.https.destroy();
      },
    };
  },
});
