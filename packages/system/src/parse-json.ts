import { readFileSync } from 'node:fs';
import { orElse } from './platform.ts';

/** The value of a JSON text; undefined if the text is not JSON. Like npm, it accepts the byte order mark of some editors. */
export function parseJson(text: string): unknown {
  return orElse(() => JSON.parse(text.replace(/^\uFEFF/, '')), undefined);
}

/** A property of the object in a JSON file, such as package.json; undefined if it has none, or if there is no file. */
export function propertyIn(path: string | undefined, name: string): unknown {
  return path && Object(parseJson(readFileSync(path, 'utf8')))[name];
}
