import { defineClient } from '../client/http-client.ts';

/** The fetch of Node.js. The number of its connections cannot be limited. */
export const fetchClient = defineClient({
  name: 'fetch',
  connect({ url, method, headers, body }) {
    const options = { method, headers, body: body ?? null };
    return { request: async (answer) => answer.readResponse(await fetch(url, options)) };
  },
});
