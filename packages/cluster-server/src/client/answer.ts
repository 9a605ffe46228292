import { Writable } from 'node:stream';
import { MOST_BYTES } from '../server/bodies.ts';
import type { ExpectedAnswer } from '../server/tested-server.ts';

/** The used part of a web stream; the declarations of `ReadableStream` in Node.js and in browsers differ. */
interface WebBody {
  pipeTo(destination: WritableStream<Uint8Array>): Promise<void>;
}

/** A body, in any of the forms in which clients return it. */
export type AnswerBody =
  | NodeJS.ReadableStream
  | WebBody
  | ArrayBuffer
  | Uint8Array
  | string
  | null
  | undefined;

/** The used part of a `Response` of fetch, which packages declare on their own. */
export interface FetchResponse {
  readonly status: number;
  readonly redirected: boolean;
  readonly body: AnswerBody;
}

/** Receives one answer from a client. */
export interface Answer {
  /** Sets the status; call it once. */
  status(code: number): void;
  /** Sets the status, and reads the whole body; call it once. It rejects if the body is incomplete. */
  read(status: number, body: AnswerBody): Promise<void>;
  /** Reads a whole `Response` of fetch. A redirected response is not a valid answer. */
  readResponse(response: FetchResponse): Promise<void>;
  /** A stream to write the body to, for clients that need one. The answer ends with its event `finish`. */
  writable(): Writable;
}

/** The used part of a stream of a body that has an event for the status. */
interface AnswerStream {
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'response', listener: (response: { readonly statusCode: number }) => void): unknown;
  pipe(to: Writable): unknown;
}

export function readStream(stream: AnswerStream, answer: Answer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.once('response', ({ statusCode }) => answer.status(statusCode));
    stream.pipe(answer.writable().once('finish', resolve));
  });
}

/** Counts an answer and discards it, as cheaply as the streams of Node.js allow, unless its body is kept. */
export class CountedAnswer implements Answer {
  /** The body, if it is kept. */
  readonly kept: Buffer[] | undefined;
  readonly #statuses: number[] = [];
  #bytes = 0;
  /** How many times the body ended. */
  #ends = 0;
  #redirected = false;

  constructor(keeps = false) {
    if (keeps) this.kept = [];
  }

  status(code: number): void {
    this.#statuses.push(code);
  }

  writable(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#count(chunk);
        done();
      },
      final: (done) => {
        this.#ends++;
        done();
      },
    });
  }

  async read(status: number, body: AnswerBody): Promise<void> {
    this.status(status);
    if (typeof body === 'object' && body !== null) {
      if ('pipeTo' in body) return body.pipeTo(this.#webWritable());
      if ('pipe' in body) return this.#drain(body);
    }
    if (body !== null && body !== undefined) this.#count(body);
    this.#ends++;
  }

  readResponse(response: FetchResponse): Promise<void> {
    if (response.redirected) this.#redirected = true;
    return this.read(response.status, response.body);
  }

  /** What is wrong with the answer; undefined for a correct one. */
  problem({ status, bytes, decodedBytes }: ExpectedAnswer): string | undefined {
    if (this.#redirected) return 'was redirected, so the answer is to another request';
    const wrong = this.#statuses.find((it) => it !== status);
    if (wrong !== undefined) return `got status ${wrong} instead of ${status}`;
    if (this.#statuses.length > 1) return `got ${this.#statuses.length} answers`;
    if (this.#statuses.length === 0) return 'ended without an answer';
    if (this.#ends > 1) return `got ${this.#ends} bodies`;
    if (this.#ends === 0) return `ended before its answer was read: ${this.#bytes} of ${bytes} bytes`;
    if (this.#bytes !== bytes && this.#bytes !== decodedBytes)
      return `got ${this.#bytes} bytes instead of ${bytes}`;
    return undefined;
  }

  #count(part: string | Uint8Array | ArrayBuffer): void {
    this.#bytes += Buffer.byteLength(part);
    // A copy, because a client may use the memory again. A time limit ends an endless body.
    if (this.#bytes <= MOST_BYTES)
      this.kept?.push(Buffer.concat([typeof part === 'string' ? Buffer.from(part) : new Uint8Array(part)]));
  }

  #drain(body: NodeJS.ReadableStream): Promise<void> {
    return new Promise((resolve, reject) => {
      body.once('error', reject);
      // An incomplete body closes without an end.
      body.once('close', resolve);
      body.pipe(this.writable()).once('finish', resolve);
    });
  }

  #webWritable(): WritableStream<Uint8Array> {
    return new WritableStream({
      write: (chunk) => this.#count(chunk),
      close: () => {
        this.#ends++;
      },
    });
  }
}
