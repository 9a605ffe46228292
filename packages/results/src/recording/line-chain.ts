import { crc32 } from 'node:zlib';

// Each line of a session ends with a digest of itself and of all lines before it, so that a line that was changed, removed, inserted
// or moved is noticed. It guards against accidents and edits, not against forgery: CRC-32 is the cheapest digest of Node.js.

const tail = { start: ',"crc":"', end: '"}' };
const digestDigits = 8;
const tailLength = tail.start.length + digestDigits + tail.end.length;

/**
 * Ends the JSON of a line with its digest.
 * @param before the digest of the line before, 0 for the first line of a session
 */
export function chainedLine(
  json: string,
  before: number,
): { readonly line: string; readonly digest: number } {
  const content = json.slice(0, -1);
  const digest = crc32(content, before);
  const digits = digest.toString(16).padStart(digestDigits, '0');
  return { line: `${content}${tail.start}${digits}${tail.end}`, digest };
}

/** The JSON of a line as it was before `chainedLine`. */
export function unchainedLine(line: string): string {
  return `${line.slice(0, -tailLength)}}`;
}

/** NaN for a line without a digest. */
export function digestOfLine(line: string): number {
  return Number(`0x${line.slice(-digestDigits - tail.end.length, -tail.end.length)}`);
}

/** @returns whether nothing was changed in the line, and nothing between it and the line with the digest `before` */
export function isChained(line: string, before: number): boolean {
  return crc32(line.slice(0, -tailLength), before) === digestOfLine(line);
}
