import type { ClientComparison } from '../comparison/client-comparison.ts';

/** The whole result, with a line end; `format` changes when a reader of the former one would be misled. */
export function renderClientJson(comparison: ClientComparison): string {
  return `${JSON.stringify({ format: 1, ...comparison }, null, 2)}\n`;
}
