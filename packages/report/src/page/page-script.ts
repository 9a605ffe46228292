import { readFileSync } from 'node:fs';

/** The scripts of the page, compiled from `page/`, each a module of its own, in the order in which they must run. */
export function pageScripts(): readonly string[] {
  return [
    new URL('../../dist/page/browser/sample-chart.js', import.meta.url),
    new URL('../../dist/page/browser/comparison-table.js', import.meta.url),
  ].map((url) => readFileSync(url, 'utf8'));
}
