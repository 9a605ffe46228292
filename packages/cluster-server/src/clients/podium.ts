import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { defineClient } from '../client/http-client.ts';
import { agentOptions } from './undici.ts';

/** The used part of the package, which has no types. */
interface PodiumClient {
  request(options: object): Promise<{ readonly statusCode: number; readonly body: Readable }>;
  close(): Promise<unknown>;
}

/** undici's request with a circuit breaker. When it is open, requests fail without being sent. */
export const podiumClient = defineClient({
  name: 'podium-http-client - request',
  protocols: ['http', 'https'],
  package: '@podium/http-client',
  source: 'github:podium-lib/http-client',
  async connect({ url, method, headers, body }, settings) {
    const name: string = '@podium/http-client';
    const { default: Client }: { default: new (options: object) => PodiumClient } = await import(name);
    const { origin, pathname } = new URL(url);
    // Its requests use the global agent of its undici, whatever its own options are.
    const { Agent, getGlobalDispatcher, setGlobalDispatcher }: typeof import('undici') = createRequire(
      import.meta.resolve(name),
    )('undici');
    const before = getGlobalDispatcher();
    const agent = new Agent(agentOptions(settings));
    setGlobalDispatcher(agent);
    const client = new Client({});
    return {
      async request(answer) {
        const received = await client.request({ origin, path: pathname, method, headers, body });
        await answer.read(received.statusCode, received.body);
      },
      async close() {
        await client.close();
        setGlobalDispatcher(before);
        await agent.destroy();
      },
    };
  },
});
