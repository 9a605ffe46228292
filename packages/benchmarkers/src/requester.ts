import type { LoadRequest } from './load-request.ts';

/** Sends requests over connections that it keeps, with the client of Node.js. */
export interface Requester {
  /** Resolves when the request has been answered, or has failed. */
  ask(): Promise<void>;
  close(): void;
}

export function requesterFor(request: LoadRequest): Promise<Requester> {
  return request.protocol === 'http2' ? overHttp2(request) : overHttp1(request);
}

async function overHttp1({
  scheme,
  url,
  method,
  headers,
  body,
  connections,
}: LoadRequest): Promise<Requester> {
  const { Agent, request } = await (scheme === 'https' ? import('node:https') : import('node:http'));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    ask: () =>
      new Promise((resolve) => {
        const sent = request(url, { method, headers, agent, rejectUnauthorized: false }, (answer) => {
          answer.once('error', () => {}).once('close', resolve);
          answer.resume();
        });
        sent.once('error', () => resolve());
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

async function overHttp2({ url, method, headers, body }: LoadRequest): Promise<Requester> {
  const { connect } = await import('node:http2');
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, { rejectUnauthorized: false });
  session.on('error', () => {});
  return {
    ask: () =>
      new Promise((resolve) => {
        if (session.destroyed || session.closed) return resolve();
        const stream = session.request({ ...headers, ':method': method, ':path': pathname + search });
        stream.once('error', () => {}).once('close', resolve);
        stream.resume();
        stream.end(body);
      }),
    close: () => session.destroy(),
  };
}
