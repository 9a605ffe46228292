import { defineClient } from '../client/http-client.ts';
import { connectionsForFetch } from './agent.ts';

/** ky, which uses the fetch of Node.js, without retries. */
export const kyClient = defineClient({
  name: 'ky',
  package: 'ky',
  async connect({ url, method, headers, body }, settings) {
    const { default: ky } = await import('ky');
    const { init, close } = connectionsForFetch(settings);
    const options = { ...init, method, headers, retry: 0, timeout: false, body: body ?? null } as const;
    return {
      request: async (answer) => answer.readResponse(await ky(url, options)),
      close,
    };
  },
});
