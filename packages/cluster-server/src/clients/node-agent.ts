import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { ConnectionSettings, Target } from '../client/http-client.ts';

/** The agent for a client that uses node:http or node:https. */
export function agentFor(
  { protocol }: Pick<Target, 'protocol'>,
  { connections }: ConnectionSettings,
  keepAlive = true,
): Agent {
  const options = { keepAlive, maxSockets: connections };
  return protocol === 'http' ? new Agent(options) : new TlsAgent(options);
}
