/** The end of the output of a process, which usually has the reason of a failure. Memory is limited. */
export function outputTail(limitBytes: number) {
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  let totalBytes = 0;
  return {
    push(chunk: Buffer): void {
      totalBytes += chunk.length;
      heldBytes += chunk.length;
      chunks.push(chunk);
      if (heldBytes <= 2 * limitBytes) return;
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(-limitBytes))];
      heldBytes = limitBytes;
    },
    /** The text; if some was dropped, a line with the number of dropped bytes comes first. */
    text(): string {
      const text = Buffer.concat(chunks).subarray(-limitBytes).toString('utf8').trimEnd();
      const droppedBytes = totalBytes - Math.min(heldBytes, limitBytes);
      return droppedBytes > 0 ? `[${droppedBytes} bytes before this are not shown]\n${text}` : text;
    },
  };
}

/** The beginning of an output. Of a run that succeeds, it tells best which code was measured. */
export function outputHead(limitBytes: number) {
  let head = Buffer.alloc(0);
  let totalBytes = 0;
  return {
    push(chunk: Buffer): void {
      totalBytes += chunk.length;
      if (head.length < limitBytes) head = Buffer.concat([head, chunk.subarray(0, limitBytes - head.length)]);
    },
    /** The text; if some was dropped, the number of dropped bytes is at its end. */
    text(): string {
      const dropped = totalBytes - head.length;
      // A character that is cut is left out.
      const text = new TextDecoder().decode(head, { stream: true }).trimEnd();
      return dropped > 0 ? `${text}\n[${dropped} bytes after this are not kept]` : text;
    },
  };
}
