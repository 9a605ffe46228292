import { Readable } from 'node:stream';
import { defineClient } from '../client/http-client.ts';

/** The used part of the package, which has no types. */
interface PodiumClient {
  request(options: object): Promise<unknown>;
  close(): Promise<unknown>;
}

/** undici's request with a circuit breaker. When it is open, requests fail without being sent. */
export const podiumClient = defineClient({
  name: 'podium-http-client - request',
  protocols: ['http', 'https'],
  package: '@podium/http-client',
  async connect({ url, method, headers, body }, { connections, pipelining }) {
    // Loading it takes time, which would delay the other clients.
    const { z } = await import('zod');
    const packageSchema = z.object({
      default: z.custom<new (options: object) => PodiumClient>((it) => typeof it === 'function'),
    });
    const answerSchema = z.object({ statusCode: z.number(), body: z.instanceof(Readable) });
    const name: string = '@podium/http-client';
    const { default: Client } = packageSchema.parse(await import(name));
    const { origin, pathname } = new URL(url);
    const client = new Client({ connections, pipelining });
    return {
      async request(answer) {
        const received = await client.request({ origin, path: pathname, method, headers, body });
        const { statusCode, body: answered } = answerSchema.parse(received);
        await answer.read(statusCode, answered);
      },
      close: () => client.close(),
    };
  },
});
