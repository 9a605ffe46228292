import { readFileSync } from 'node:fs';

/** The text of a recorded input, such as a CSV that Node core's compare.js wrote. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../../packages/stats/test/fixtures/${name}`, import.meta.url), 'utf8');
}
