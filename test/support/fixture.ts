import { readFileSync } from 'node:fs';

/** A CSV of three runs of one case under each subject. */
export const compareCsv: string = [
  '"binary","filename","configuration","rate","time"',
  ...['old', 'new'].flatMap((binary) => [1, 2, 3].map((rate) => `"${binary}","a.js","n=1",${rate},1`)),
  '',
].join('\n');

/** The text of a recorded input, such as a CSV that Node core's compare.js wrote. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../../packages/stats/test/fixtures/${name}`, import.meta.url), 'utf8');
}
