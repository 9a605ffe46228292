import { writeSync } from 'node:fs';

/** Writes a message as a line of JSON. The message is delivered even if the process hangs after the call. */
export function writeMessage(descriptor: number, message: object): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
}
