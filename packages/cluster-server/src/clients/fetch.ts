import { defineClient } from '../client/http-client.ts';
import { connectionsForFetch } from './agent.ts';

/** The fetch of Node.js, which is that of the undici it contains. */
export const fetchClient = defineClient({
  name: 'fetch',
  connect({ url, method, headers, body }, settings) {
    const { init, close } = connectionsForFetch(settings);
    const options = { ...init, method, headers, body: body ?? null };
    return {
      request: async (answer) => answer.readResponse(await fetch(url, options)),
      close,
    };
  },
});
