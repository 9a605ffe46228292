import { readFileSync } from 'node:fs';
import { orElse } from './platform.ts';

/** The value of a JSON text; undefined if invalid. Accepts a byte order mark of editors, like npm. */
export function parseJson(text: string): unknown {
  return orElse(() => JSON.parse(text.replace(/^\uFEFF/, '')), undefined);
}

/** A property in a JSON file, such as package.json; undefined without the property or a path. */
export function propertyIn(path: string | undefined, name: string): unknown {
  return path && Object(parseJson(readFileSync(path, 'utf8')))[name];
}
