/** The end of the output of a process. Memory is limited, and the reason of a failure is usually at the end. */
export class OutputTail {
  readonly #limitBytes: number;
  #chunks: Buffer[] = [];
  #heldBytes = 0;
  #totalBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    this.#heldBytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#heldBytes <= 2 * this.#limitBytes) return;
    this.#chunks = [Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#limitBytes))];
    this.#heldBytes = this.#limitBytes;
  }

  /** The text; if some was dropped, a line with the number of dropped bytes comes first. */
  toString(): string {
    const text = Buffer.concat(this.#chunks).subarray(-this.#limitBytes).toString('utf8').trimEnd();
    const droppedBytes = this.#totalBytes - Math.min(this.#heldBytes, this.#limitBytes);
    return droppedBytes > 0 ? `[${droppedBytes} bytes before this are not shown]\n${text}` : text;
  }
}
