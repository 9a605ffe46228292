import type { Agent } from 'node:http';
import type { ConnectionSettings, Target } from '../client/http-client.ts';

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
