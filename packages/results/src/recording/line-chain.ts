import { crc32 } from 'node:zlib';

// Each line of a session ends with a digest of all lines up to it, so that changed, removed, inserted and
// moved lines are noticed. CRC-32, the cheapest digest of Node.js, guards against accidents and edits, not
// against forgery.

const tail = { start: ',"crc":"', end: '"}' };
const digestDigits = 8;
const tailLength = tail.start.length + digestDigits + tail.end.length;

/** @param before the digest of the previous line, 0 for the first line of a session */
export function chainedLine(
  json: string,
  before: number,
): { readonly line: string; readonly digest: number } {
  const content = json.slice(0, -1);
  const digest = crc32(content, before);
  const digits = digest.toString(16).padStart(digestDigits, '0');
  return { line: `${content}${tail.start}${digits}${tail.end}`, digest };
}

/** The JSON of a line before `chainedLine`. */
export function unchainedLine(line: string): string {
  return `${line.slice(0, -tailLength)}}`;
}

/** NaN for a line without a digest. */
export function digestOfLine(line: string): number {
  return Number(`0x${line.slice(-digestDigits - tail.end.length, -tail.end.length)}`);
}

/** Whether the line is unchanged and follows the line with the digest `before`. */
export function isChained(line: string, before: number): boolean {
  return crc32(line.slice(0, -tailLength), before) === digestOfLine(line);
}
