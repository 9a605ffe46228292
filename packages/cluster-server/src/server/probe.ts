import { buffer } from 'node:stream/consumers';
import { UsageError } from '@bench-cli/results';
import { z } from 'zod';
import { errorText } from '../error-text.ts';
import { placeOf, type ServerAddress, tallyPath, urlOf } from './address.ts';

const PROBE_TIMEOUT_MS = 10_000;

/** How many requests with a tag the server has received; undefined if it does not count them. */
export async function tallyOf(address: ServerAddress, tag: string): Promise<number | undefined> {
  const { status, body } = await askOnce(address, tallyPath(tag));
  if (status !== 200 || body.length > 100) return undefined;
  try {
    return z.object({ requests: z.number() }).parse(JSON.parse(body.toString())).requests;
  } catch {
    return undefined;
  }
}

/**
 * Sends one request with Node.js itself, without verifying certificates.
 *
 * @param post the body of a POST; without it the request is a GET
 * @throws UsageError if there is no answer
 */
export async function askOnce(
  address: ServerAddress,
  path: string,
  post?: string,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  try {
    return await (address.protocol === 'http2' ? askHttp2 : askHttp1)(address, path, post);
  } catch (error) {
    throw new UsageError(
      'ERR_BENCH_SERVER_UNREACHABLE',
      `no server answers at ${placeOf(address)} (${errorText(error)}); start one with bench-cli http server, or use --serve`,
    );
  }
}

/** The certificate of a server, PEM. The comparison trusts it, because the user named the server. */
export function certificateOf({ host, port, socketPath }: ServerAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = process.getBuiltinModule('node:tls').connect({
      ...(socketPath === undefined ? { host, port } : { path: socketPath }),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const raw = socket.getPeerX509Certificate()?.toString();
      socket.destroy();
      if (raw !== undefined) resolve(raw);
      else
        reject(
          new UsageError('ERR_BENCH_SERVER_ANSWER', `${host}:${port} has no certificate; use another server`),
        );
    });
  });
}

type Ask = typeof askOnce;

const askHttp1: Ask = ({ protocol, host, port, socketPath }, path, post) =>
  new Promise((resolve, reject) => {
    // As an import, node:http would load undici too.
    const { request: send } = process.getBuiltinModule(protocol === 'http' ? 'node:http' : 'node:https');
    const request = send({
      ...(socketPath === undefined ? { host, port } : { socketPath }),
      path,
      method: post === undefined ? 'GET' : 'POST',
      agent: false,
      rejectUnauthorized: false,
      timeout: PROBE_TIMEOUT_MS,
    });
    request.once('timeout', () => request.destroy(noAnswer()));
    request.once('error', reject);
    request.once('response', (response) => {
      const status = response.statusCode ?? 0;
      buffer(response).then((body) => resolve({ status, body }), reject);
    });
    request.end(post);
  });

const askHttp2: Ask = (address, path, post) =>
  new Promise((resolve, reject) => {
    const { socketPath } = address;
    const session = process.getBuiltinModule('node:http2').connect(urlOf(address), {
      rejectUnauthorized: false,
      ...(socketPath !== undefined && {
        createConnection: () =>
          process
            .getBuiltinModule('node:tls')
            .connect({ path: socketPath, rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
      }),
    });
    const fail = (error: Error) => {
      session.destroy();
      reject(error);
    };
    session.once('error', fail);
    session.setTimeout(PROBE_TIMEOUT_MS, () => fail(noAnswer()));
    const stream = session.request({
      ...(post !== undefined && { 'content-length': Buffer.byteLength(post) }),
      ':path': path,
      ':method': post === undefined ? 'GET' : 'POST',
    });
    stream.once('error', fail);
    stream.once('response', ({ ':status': status = 0 }) => {
      buffer(stream).then((body) => {
        session.close();
        resolve({ status, body });
      }, fail);
    });
    stream.end(post);
  });

function noAnswer(): Error {
  return new Error(`no answer within ${PROBE_TIMEOUT_MS / 1000} s`);
}
