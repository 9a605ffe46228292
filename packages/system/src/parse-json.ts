import { readFileSync } from 'node:fs';
import { orElse } from './platform.ts';

/** The value of a JSON text; undefined if invalid. Accepts a byte order mark of editors, like npm. */
export function parseJson(text: string): unknown {
  return orElse(() => JSON.parse(text.replace(/^\uFEFF/, '')), undefined);
}

/** A property in a JSON file, such as package.json; undefined without the property or the file. */
export function propertyIn(path: string | undefined, name: string): unknown {
  const text = orElse(() => readFileSync(path ?? '', 'utf8'), '');
  return Object(parseJson(text))[name];
}

/** The names of the packages that a package.json requires. */
export function requiredBy(manifest: string): readonly string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return kinds.flatMap((kind) => Object.keys(Object(propertyIn(manifest, kind))));
}
