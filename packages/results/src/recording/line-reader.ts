/** Splits a stream of bytes into lines of limited length. */
export class LineReader {
  readonly #limitBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onOverflow: () => void;
  #chunks: Buffer[] = [];
  #heldBytes = 0;

  constructor(limitBytes: number, onLine: (line: string) => void, onOverflow: () => void) {
    this.#limitBytes = limitBytes;
    this.#onLine = onLine;
    this.#onOverflow = onOverflow;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#flush();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  rest(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Ends the stream: bytes without a line end are a line too. */
  end(): void {
    if (this.#heldBytes > 0) this.#flush();
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    this.#chunks.push(part);
    this.#heldBytes += part.length;
    if (this.#heldBytes <= this.#limitBytes) return;
    this.#clear();
    this.#onOverflow();
  }

  #flush(): void {
    const line = this.rest().toString('utf8');
    this.#clear();
    this.#onLine(line);
  }

  #clear(): void {
    this.#chunks = [];
    this.#heldBytes = 0;
  }
}
