import type { Agent } from 'node:http';
import { type Answer, readStream } from '../client/answer.ts';
import type { HttpClient, Target } from '../client/http-client.ts';
import { agentFor } from './node-http.ts';

const axios = { name: 'axios', unixSocket: true, package: 'axios' };

/** axios, with streams as bodies. */
export const axiosClient = withAgent(axios, async (target, agent) => {
  const { default: send } = await import('axios');
  const options = {
    url: target.url,
    method: target.method,
    headers: { ...target.headers },
    data: target.body,
    responseType: 'stream',
    httpAgent: agent,
    httpsAgent: agent,
    maxRedirects: 0,
    ...(target.socketPath !== undefined && { socketPath: target.socketPath }),
  } as const;
  return async (answer) => {
    const { status, data } = await send.request<NodeJS.ReadableStream>(options);
    await answer.read(status, data);
  };
});

/** got's streams, without retries and redirects, whose answers are to other requests. */
export const gotClient = withAgent({ name: 'got', package: 'got' }, async (target, agent) => {
  const { default: got } = await import('got');
  const options = {
    method: target.method,
    headers: { ...target.headers },
    agent: { [target.protocol]: agent },
    retry: { limit: 0 },
    followRedirect: false,
    ...(target.body !== undefined && { body: target.body }),
  };
  return (answer) => readStream(got.stream(target.url, options), answer);
});

const superagent = { name: 'superagent', package: 'superagent' };

export const superagentClient = withAgent(superagent, async ({ method, url, headers, body }, agent) => {
  const { default: ask } = await import('superagent');
  return (answer) => {
    const request = ask(method, url).agent(agent).redirects(0).set(headers);
    if (body !== undefined) request.send(body);
    return readStream(request, answer);
  };
});

/** @param load the package: returns the function that sends a request with the agent */
function withAgent(
  about: Omit<HttpClient, 'connect'>,
  load: (target: Target, agent: Agent) => Promise<(answer: Answer) => Promise<unknown>>,
): HttpClient {
  return {
    ...about,
    async connect(target, settings) {
      const agent = agentFor(target, settings);
      return { request: await load(target, agent), close: () => agent.destroy() };
    },
  };
}
