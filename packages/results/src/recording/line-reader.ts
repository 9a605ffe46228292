/** Splits a stream of bytes into lines of limited length. */
export function lineReader(limitBytes: number, onLine: (line: string) => void, onOverflow: () => void) {
  let chunks: Buffer[] = [];
  let heldBytes = 0;

  const rest = (): Buffer => Buffer.concat(chunks);
  const clear = () => {
    chunks = [];
    heldBytes = 0;
  };
  const hold = (part: Buffer) => {
    if (part.length === 0) return;
    chunks.push(part);
    heldBytes += part.length;
    if (heldBytes <= limitBytes) return;
    clear();
    onOverflow();
  };
  const flush = () => {
    const line = rest().toString('utf8');
    clear();
    onLine(line);
  };

  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        hold(chunk.subarray(start, end));
        flush();
        start = end + 1;
      }
      hold(chunk.subarray(start));
    },
    rest,
    /** Ends the stream: bytes without a line end are a line too. */
    end(): void {
      if (heldBytes > 0) flush();
    },
  };
}
