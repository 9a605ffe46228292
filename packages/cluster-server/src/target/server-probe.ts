import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { UsageError } from '@bench-cli/results';
import { z } from 'zod';
import { messageOf } from '../problem.ts';
import { type Protocol, schemeOf } from '../protocol.ts';
import { tallyPath } from '../server/request-path.ts';

/** Where a server is. */
export interface ServerAddress {
  readonly protocol: Protocol;
  readonly host: string;
  readonly port: number;
  readonly socketPath: string | undefined;
}

/** An answer to a single request, outside of any measurement. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const tallySchema = z.object({ requests: z.number() });

/** Milliseconds that a single request may take. */
const PROBE_TIMEOUT_MS = 10_000;

/** The URL of an address, without a path. */
export function urlOf({ protocol, host, port, socketPath }: ServerAddress): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  return `${schemeOf(protocol)}://${socketPath === undefined ? `${authority}:${port}` : 'localhost'}`;
}

/** Where it is, for people. */
export function placeOf(address: ServerAddress): string {
  return address.socketPath ?? urlOf(address);
}

/** How many requests the server has got with a tag; undefined when it does not count. */
export async function tallyOf(address: ServerAddress, tag: string): Promise<number | undefined> {
  const { status, body } = await askOnce(address, tallyPath(tag));
  if (status !== 200 || body.length > 100) return undefined;
  try {
    return tallySchema.parse(JSON.parse(body.toString())).requests;
  } catch {
    return undefined;
  }
}

/**
 * Sends one request with nothing but Node.js; certificates are not checked here.
 *
 * @throws UsageError when there is no answer
 */
export async function askOnce(
  address: ServerAddress,
  path: string,
  post?: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
): Promise<PlainAnswer> {
  try {
    return await (address.protocol === 'http2' ? askHttp2 : askHttp1)(address, path, post);
  } catch (error) {
    throw new UsageError(
      'ERR_BENCH_SERVER_UNREACHABLE',
      `no server answers at ${placeOf(address)} (${messageOf(error)}): start one with bench-cli cluster-server, or let --serve do it`,
    );
  }
}

/** The certificate that a server shows, PEM. It is trusted for the comparison: the server was named by the user. */
export function certificateOf({ host, port, socketPath }: ServerAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      ...(socketPath === undefined ? { host, port } : { path: socketPath }),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const raw = socket.getPeerX509Certificate()?.toString();
      socket.destroy();
      if (raw === undefined)
        reject(new UsageError('ERR_BENCH_SERVER_UNREACHABLE', `${host}:${port} shows no certificate`));
      else resolve(raw);
    });
  });
}

type Ask = typeof askOnce;

const askHttp1: Ask = ({ protocol, host, port, socketPath }, path, post) =>
  new Promise((resolve, reject) => {
    const request = (protocol === 'http' ? httpRequest : httpsRequest)({
      ...(socketPath === undefined ? { host, port } : { socketPath }),
      path,
      method: post === undefined ? 'GET' : 'POST',
      ...(post !== undefined && { headers: post.headers }),
      agent: false,
      rejectUnauthorized: false,
      timeout: PROBE_TIMEOUT_MS,
    });
    request.once('timeout', () =>
      request.destroy(new Error(`no answer within ${PROBE_TIMEOUT_MS / 1000} s`)),
    );
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    request.end(post?.body);
  });

const askHttp2: Ask = (address, path, post) =>
  new Promise((resolve, reject) => {
    const { socketPath } = address;
    const session = connectHttp2(urlOf(address), {
      rejectUnauthorized: false,
      ...(socketPath !== undefined && {
        createConnection: () =>
          connectTls({ path: socketPath, rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
      }),
    });
    const fail = (error: Error) => {
      session.destroy();
      reject(error);
    };
    session.once('error', fail);
    session.setTimeout(PROBE_TIMEOUT_MS, () =>
      fail(new Error(`no answer within ${PROBE_TIMEOUT_MS / 1000} s`)),
    );
    const stream = session.request({
      ...post?.headers,
      ':path': path,
      ':method': post === undefined ? 'GET' : 'POST',
    });
    const chunks: Buffer[] = [];
    let status = 0;
    stream.once('error', fail);
    stream.once('response', (headers) => {
      status = headers[':status'] ?? 0;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => {
      session.close();
      resolve({ status, body: Buffer.concat(chunks) });
    });
    stream.end(post?.body);
  });
