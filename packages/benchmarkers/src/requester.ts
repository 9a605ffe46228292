import type { LoadRequest } from './load-request.ts';

/** Sends requests over connections that it keeps, with the client of Node.js. */
export interface Requester {
  /** Resolves when the request has been answered, or has failed. */
  ask(): Promise<void>;
  close(): void;
}

export function requesterFor(request: LoadRequest): Requester {
  return request.protocol === 'http2' ? overHttp2(request) : overHttp1(request);
}

function overHttp1({ scheme, url, method, headers, body, connections }: LoadRequest): Requester {
  // As an import, node:http would load undici too.
  const { Agent, request } = process.getBuiltinModule(scheme === 'https' ? 'node:https' : 'node:http');
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

function overHttp2({ url, method, headers, body }: LoadRequest): Requester {
  const { connect } = process.getBuiltinModule('node:http2');
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
