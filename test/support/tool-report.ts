import { readFileSync } from 'node:fs';

/**
 * A report that a tool has written: `node-bench.jsonl` by Node.js 26.10, `vitest.json` by vitest 5.1 or `mitata.json` by mitata 1.0. Only
 * the paths are other ones.
 */
export function toolReport(name: string): string {
  return readFileSync(new URL(`../../packages/results/test/fixtures/${name}`, import.meta.url), 'utf8');
}
