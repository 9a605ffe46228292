import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The script of the page, which the build bundles from `browser/`. */
export function pageScript(): string {
  return readFileSync(createRequire(import.meta.url).resolve('#page-script'), 'utf8');
}
