import { Writable } from 'node:stream';

/** A web stream, as far as it is used: the declarations of `ReadableStream` of Node.js and of browsers differ. */
interface WebBody {
  pipeTo(destination: WritableStream<Uint8Array>): Promise<void>;
}

/** A body, in whatever form a client hands it out. */
export type AnswerBody =
  | NodeJS.ReadableStream
  | WebBody
  | ArrayBuffer
  | Uint8Array
  | string
  | null
  | undefined;

/** What a right answer has. */
export interface ExpectedAnswer {
  readonly status: number;
  /** Length of the body. */
  readonly bytes: number;
}

/** One answer, as a client hands it over. */
export interface Answer {
  /** Tells the status; once. */
  status(code: number): void;
  /** Reads a whole body, and counts it; once. Rejects when the body breaks off. */
  read(status: number, body: AnswerBody): Promise<void>;
  /** Reads a whole `Response` of fetch; one that was redirected is no answer. */
  readResponse(response: Response): Promise<void>;
  /** A stream that takes the body, for clients that want to be given one; `finish` is the end of the answer. */
  writable(): Writable;
}

/** An answer as it arrived. */
export interface ReceivedAnswer {
  readonly statuses: readonly number[];
  readonly bytes: number;
  /** How often the body came to its end. */
  readonly ends: number;
  readonly redirected: boolean;
}

/** What is wrong with an answer; undefined of a right one. */
export function answerProblem(answer: ReceivedAnswer, expected: ExpectedAnswer): string | undefined {
  const { statuses, bytes, ends, redirected } = answer;
  if (redirected) return 'was redirected: the answer is not one to its request';
  const wrong = statuses.find((status) => status !== expected.status);
  if (wrong !== undefined) return `got status ${wrong} instead of ${expected.status}`;
  if (statuses.length > 1) return `got ${statuses.length} answers`;
  if (statuses.length === 0) return 'ended without an answer';
  if (ends > 1) return `got ${ends} bodies`;
  if (ends === 0) return `ended before its answer was read: ${bytes} of ${expected.bytes} bytes`;
  if (bytes !== expected.bytes) return `got ${bytes} bytes instead of ${expected.bytes}`;
  return undefined;
}

/** Counts an answer and throws it away, as cheaply as the streams of Node.js allow. */
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
      // A body that is cut off closes without an end.
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
