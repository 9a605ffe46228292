import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The scripts of the page, compiled from `browser/`, each a module of its own, in the order in which they must run. */
export function pageScripts(): readonly string[] {
  return ['sample-chart.js', 'comparison-table.js'].map((name) =>
    readFileSync(require.resolve(`#browser/${name}`), 'utf8'),
  );
}
