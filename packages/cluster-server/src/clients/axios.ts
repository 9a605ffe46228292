import { defineClient } from '../client/http-client.ts';
import { agentFor } from './node-http.ts';

/** axios, with streams as bodies. */
export const axiosClient = defineClient({
  name: 'axios',
  unixSocket: true,
  package: 'axios',
  async connect(target, settings) {
    const { default: axios } = await import('axios');
    const agent = agentFor(target, settings);
    const options = {
      url: target.url,
      method: target.method,
      headers: { ...target.headers },
      data: target.body,
      responseType: 'stream',
      httpAgent: agent,
      httpsAgent: agent,
      maxRedirects: 0,
      ...(target.socketPath !== undefined && { socketPath: target.socketPath }),
    } as const;
    return {
      async request(answer) {
        const { status, data } = await axios.request<NodeJS.ReadableStream>(options);
        await answer.read(status, data);
      },
      close: () => agent.destroy(),
    };
  },
});
