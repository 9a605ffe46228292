import { defineClient } from '../client/http-client.ts';

/** The fetch of Node.js itself. It has no settings for connections: it opens as many as it likes. */
export const fetchClient = defineClient({
  name: 'fetch',
  connect({ url, method, headers, body }) {
    const options = { method, headers, ...(body !== undefined && { body }) };
    return { request: async (answer) => answer.readResponse(await fetch(url, options)) };
  },
});
