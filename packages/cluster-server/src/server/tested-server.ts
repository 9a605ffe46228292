import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { calledCommand, UsageError } from '@bench-cli/results';
import { z } from 'zod';
import type { RequestMethod } from '../client-options.ts';
import { errorText } from '../error-text.ts';
import { type ServerAddress, serverPlace, tallyPath, urlOf, usesHttp2, usesTls } from './address.ts';
import { digestOf, MOST_BYTES, POST_BYTES } from './bodies.ts';
import type { Tally } from './tally.ts';

const LIMIT_MS = 10_000;

/** What a client must receive. */
export interface ExpectedAnswer {
  readonly status: number;
  /** Length of the body. */
  readonly bytes: number;
  /** Its length for clients that decompress it; undefined if the server does not compress it. */
  readonly decodedBytes?: number | undefined;
  /** The digests of all bodies, of which the server draws one for each answer; undefined if unknown. */
  readonly digests?: readonly string[] | undefined;
}

/** A server that clients are measured with, and what all of them must receive from it. @internal */
export interface TestedServer {
  readonly address: ServerAddress;
  /** PEM; undefined without TLS. */
  readonly certificate: string | undefined;
  /** Whether it counts requests, as the cluster server does, so that invented answers are detected. */
  readonly countsRequests: boolean;
  /** What Node.js itself receives, by method. */
  readonly answers: Readonly<Partial<Record<RequestMethod, ExpectedAnswer>>>;
}

/**
 * Asks a server what it answers.
 *
 * @throws UsageError if it does not answer, or not with status 200
 * @internal
 */
export async function examineServer(
  { protocol, host, port, socketPath }: ServerAddress,
  methods: readonly RequestMethod[],
): Promise<TestedServer> {
  const address = { protocol, host, port, socketPath };
  const tally = await tallyOf(address, randomUUID());
  const answers: { [Method in RequestMethod]?: ExpectedAnswer } = {};
  for (const method of methods) {
    const { status, body, encoding } = await askOnce(address, '/', method);
    if (status !== 200) {
      const problem = `${serverPlace(address)} answers ${method} / with status ${status} instead of 200; use a server that answers with 200`;
      throw new UsageError('ERR_BENCH_SERVER_ANSWER', problem);
    }
    const isSame = tally === undefined && body.equals((await askOnce(address, '/', method)).body);
    const decoded = decodedBody(body, encoding, address);
    const bodies = decoded === undefined ? [body] : [body, decoded];
    answers[method] = {
      ...{ status, bytes: body.length, decodedBytes: decoded?.length },
      digests: tally?.digests ?? (isSame ? bodies.map(digestOf) : undefined),
    };
  }
  return {
    address,
    certificate: usesTls(address.protocol) ? await certificateOf(address) : undefined,
    countsRequests: tally !== undefined,
    answers,
  };
}

const limits = { maxOutputLength: MOST_BYTES };

/** By the header `content-encoding`. */
const decoders = new Map([
  ['gzip', (body: Buffer) => gunzipSync(body, limits)],
  ['deflate', (body: Buffer) => inflateSync(body, limits)],
  ['br', (body: Buffer) => brotliDecompressSync(body, limits)],
  ['zstd', (body: Buffer) => zstdDecompressSync(body, limits)],
]);

/** @throws UsageError if the body is damaged, or longer than MOST_BYTES when it is decoded */
function decodedBody(body: Buffer, encoding = '', address: ServerAddress): Buffer | undefined {
  try {
    return decoders.get(encoding)?.(body);
  } catch (error) {
    const problem = `${serverPlace(address)} sends a body that cannot be decoded (${errorText(error)}): use another server`;
    throw new UsageError('ERR_BENCH_SERVER_ANSWER', problem);
  }
}

// Workers need no schema, and would load its library.
const answerSchema = z.object({
  methods: z.record(z.string(), z.number()),
  received: z.number(),
  finished: z.number(),
  digests: z.array(z.string()),
}) satisfies z.ZodType<Tally>;

/** What the server has counted with a tag, and the digests of its bodies; undefined if it does not count. */
export async function tallyOf(address: ServerAddress, tag: string) {
  const { status, body } = await askOnce(address, `${tallyPath}${tag}`);
  if (status !== 200) return undefined;
  try {
    return answerSchema.parse(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
}

/** Sends one request, without verifying certificates. @throws UsageError if there is no answer */
async function askOnce(address: ServerAddress, path: string, method: RequestMethod = 'GET') {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const body = method === 'POST' ? '_'.repeat(POST_BYTES) : undefined;
  const options: FirstRequest = { path, method, body, signal: limit };
  try {
    return await (usesHttp2(address.protocol) ? overHttp2 : overHttp1)(address, options);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = limit.aborted ? `no complete answer within ${LIMIT_MS / 1000} s` : errorText(error);
    const problem = `no server answers at ${serverPlace(address)} (${why}); start one with ${calledCommand(['http', 'server'])}, or leave out the address`;
    throw new UsageError('ERR_BENCH_SERVER_UNREACHABLE', problem);
  }
}

interface FirstRequest {
  readonly path: string;
  readonly method: RequestMethod;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

async function overHttp1(
  address: ServerAddress,
  { body, ...options }: FirstRequest,
): Promise<{ readonly status: number; readonly encoding: string | undefined; readonly body: Buffer }> {
  const { protocol, host, port, socketPath } = address;
  // As an import, node:http would load undici too.
  const { request } = process.getBuiltinModule(protocol === 'http' ? 'node:http' : 'node:https');
  const place = socketPath === undefined ? { host, port } : { socketPath };
  const sent = request({ ...place, ...options, agent: false, rejectUnauthorized: false });
  // No other event follows.
  sent.once(
    'upgrade',
    (_, socket) => socket.destroy() && sent.emit('error', new Error('it changes the protocol')),
  );
  const [response] = await once(sent.end(body), 'response');
  sent.on('error', () => {});
  const encoding = response.headers['content-encoding'];
  return { status: response.statusCode, encoding, body: await bodyOf(response, address) };
}

async function overHttp2(
  address: ServerAddress,
  { path, method, body, signal }: FirstRequest,
): ReturnType<typeof overHttp1> {
  const options = { ...pathOrPort(address), rejectUnauthorized: false };
  const session = process.getBuiltinModule('node:http2').connect(urlOf(address), options);
  try {
    const length = body === undefined ? {} : { 'content-length': POST_BYTES };
    const stream = session.request({ ...length, ':path': path, ':method': method }, { signal });
    session.once('error', (error) => stream.destroy(error));
    const [headers] = await once(stream.end(body), 'response');
    const encoding = headers['content-encoding'];
    return { status: headers[':status'], encoding, body: await bodyOf(stream, address) };
  } finally {
    session.destroy();
  }
}

/** @throws UsageError if the body is longer than MOST_BYTES */
async function bodyOf(stream: AsyncIterable<Buffer>, address: ServerAddress): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > MOST_BYTES) {
      const problem = `${serverPlace(address)} sends more than ${MOST_BYTES / 2 ** 20} MiB: use a server with shorter answers`;
      throw new UsageError('ERR_BENCH_SERVER_ANSWER', problem);
    }
  }
  return Buffer.concat(chunks);
}

function pathOrPort({ host, port, socketPath }: ServerAddress) {
  return socketPath === undefined ? { host, port } : { path: socketPath };
}

/** The certificate of a server, PEM. The comparison trusts it, because the user named the server. */
async function certificateOf(address: ServerAddress): Promise<string | undefined> {
  const options = { ...pathOrPort(address), rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] };
  const socket = process.getBuiltinModule('node:tls').connect(options);
  await once(socket, 'secureConnect', { signal: AbortSignal.timeout(LIMIT_MS) });
  const certificate = socket.getPeerX509Certificate()?.toString();
  socket.destroy();
  return certificate;
}
