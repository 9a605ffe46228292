import { Buffer } from 'node:buffer';

/** The entry under a piece of the file's text, made if there is none. */
export function entryOf<Value>(entries: Map<string, Value>, piece: string, make: () => Value): Value {
  const known = entries.get(piece);
  if (known !== undefined) return known;
  const made = make();
  entries.set(ownText(piece), made);
  return made;
}

/**
 * A copy of a piece of a file. V8 keeps the whole chunk in memory for as long as a piece that was cut from it
 * lives, which for the names in a large file amounts to the file.
 */
function ownText(piece: string): string {
  return Buffer.from(piece).toString();
}
