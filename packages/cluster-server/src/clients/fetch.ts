import { defineClient } from '../client/http-client.ts';
import { configureFetch } from './global-agent.ts';

/** The fetch of Node.js, which is that of the undici it contains. */
export const fetchClient = defineClient({
  name: 'fetch',
  connect({ url, method, headers, body }, settings) {
    const close = configureFetch(settings);
    const options = { method, headers, body: body ?? null };
    return {
      request: async (answer) => answer.readResponse(await fetch(url, options)),
      close,
    };
  },
});
