/** The end of the output of a process. Memory is limited, and the reason of a failure is usually at the end. */
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
