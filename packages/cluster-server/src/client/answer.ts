import { Writable } from 'node:stream';

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

/** What a correct answer has. */
export interface ExpectedAnswer {
  readonly status: number;
  /** Length of the body. */
  readonly bytes: number;
}

/** Receives one answer from a client. */
export interface Answer {
  /** Sets the status; call it once. */
  status(code: number): void;
  /** Sets the status, and reads the whole body; call it once. It rejects if the body is incomplete. */
  read(status: number, body: AnswerBody): Promise<void>;
  /** Reads a whole `Response` of fetch. A redirected response is not a valid answer. */
  readResponse(response: Response): Promise<void>;
  /** A stream to write the body to, for clients that need one. The answer ends with its event `finish`. */
  writable(): Writable;
}

/** An answer as the client received it. */
export interface ReceivedAnswer {
  readonly statuses: readonly number[];
  readonly bytes: number;
  /** How many times the body ended. */
  readonly ends: number;
  readonly redirected: boolean;
}

/** What is wrong with an answer; undefined for a correct one. */
export function answerProblem(answer: ReceivedAnswer, expected: ExpectedAnswer): string | undefined {
  const { statuses, bytes, ends, redirected } = answer;
  if (redirected) return 'was redirected, so the answer is to another request';
  const wrong = statuses.find((status) => status !== expected.status);
  if (wrong !== undefined) return `got status ${wrong} instead of ${expected.status}`;
  if (statuses.length > 1) return `got ${statuses.length} answers`;
  if (statuses.length === 0) return 'ended without an answer';
  if (ends > 1) return `got ${ends} bodies`;
  if (ends === 0) return `ended before its answer was read: ${bytes} of ${expected.bytes} bytes`;
  if (bytes !== expected.bytes) return `got ${bytes} bytes instead of ${expected.bytes}`;
  return undefined;
}

/** Counts an answer and discards it, as cheaply as the streams of Node.js allow. */
export class CountedAnswer implements Answer, ReceivedAnswer {
  readonly statuses: number[] = [];
  bytes = 0;
  ends = 0;
  redirected = false;

  status(code: number): void {
    this.statuses.push(code);
  }

  writable(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.bytes += chunk.length;
        done();
      },
      final: (done) => {
        this.ends++;
        done();
      },
    });
  }

  async read(status: number, body: AnswerBody): Promise<void> {
    this.status(status);
    if (typeof body === 'object' && body !== null && 'pipeTo' in body) await body.pipeTo(this.#webWritable());
    else if (typeof body === 'object' && body !== null && 'pipe' in body) await this.#drain(body);
    else {
      this.bytes += typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
      this.ends++;
    }
  }

  readResponse(response: Response): Promise<void> {
    if (response.redirected) this.redirected = true;
    return this.read(response.status, response.body);
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
      write: (chunk) => {
        this.bytes += chunk.byteLength;
      },
      close: () => {
        this.ends++;
      },
    });
  }
}
