import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { ConnectionSettings, Target } from '../client/http-client.ts';

/** The agent for a client that uses node:http or node:https. */
export function keepAliveAgent({ protocol }: Target, { connections }: ConnectionSettings): Agent {
  return agentFor(protocol, { keepAlive: true, maxSockets: connections });
}

export function agentFor(protocol: Target['protocol'], options: AgentOptions): Agent {
  return protocol === 'http' ? new Agent(options) : new TlsAgent(options);
}
