import type { Agent } from 'node:http';
import type { ConnectionSettings, HttpClient, Target } from '../client/http-client.ts';

/** node:http and node:https, with a new connection per request and with keep-alive. */
export const nodeHttpClients: readonly HttpClient[] = (['http', 'https'] as const).flatMap((protocol) =>
  [false, true].map(
    (keepAlive): HttpClient => ({
      name: `${protocol} - ${keepAlive ? 'keepalive' : 'no keepalive'}`,
      protocols: [protocol],
      unixSocket: true,
      connect({ url, socketPath, method, body, headers }, settings) {
        const { request: send } = process.getBuiltinModule(`node:${protocol}`);
        const { hostname, port, pathname } = new URL(url);
        const agent = agentFor({ protocol }, settings, keepAlive);
        const options = {
          agent,
          hostname,
          port,
          path: pathname,
          method,
          headers,
          ...(socketPath !== undefined && { socketPath }),
        };
        return {
          request: (answer) =>
            new Promise<void>((resolve, reject) => {
              send(options, (response) => {
                answer.read(response.statusCode ?? 0, response).then(resolve, reject);
              })
                .on('error', reject)
                .end(body);
            }),
          close: () => agent.destroy(),
        };
      },
    }),
  ),
);

/** The agent for a client that uses node:http or node:https. */
export function agentFor(
  { protocol }: Pick<Target, 'protocol'>,
  { connections }: ConnectionSettings,
  keepAlive = true,
): Agent {
  // As an import, node:http would load undici too.
  const { Agent } = process.getBuiltinModule(protocol === 'http' ? 'node:http' : 'node:https');
  return new Agent({ keepAlive, maxSockets: connections });
}
