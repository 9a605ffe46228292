import { readFileSync } from 'node:fs';
import { type TemporarySuite, temporarySuite } from './suite.ts';

const common = readFileSync(new URL('node-core-common.js', import.meta.url), 'utf8');

/** A common.js like Node core's. The old form loads its modules by their old names, and the foreign form has other names for its properties. */
export function commonJs(form: 'old' | 'new' | 'foreign'): string {
  if (form === 'old') return common.replace('node:child_process', 'child_process');
  return form === 'new'
    ? common
    : common.replaceAll('this.queue', 'this.jobs').replaceAll('this.flags', 'this.arguments_');
}

/** The part of a checkout of Node.js that benchmarks need: `benchmark/` with a common.js and the given files. */
export function nodeCoreSuite(
  files: Readonly<Record<string, string>>,
  form: Parameters<typeof commonJs>[0] = 'new',
): TemporarySuite {
  const inside = Object.entries(files).map(([name, source]) => [`benchmark/${name}`, source] as const);
  const own = { 'benchmark/package.json': '{}', 'benchmark/common.js': commonJs(form) };
  return temporarySuite({ ...own, ...Object.fromEntries(inside) });
}

/** The source of a Node core benchmark. */
export function script(
  configs: string,
  main = 'bench.start(); bench.end(1);',
  { options = '', head = '' }: { readonly options?: string; readonly head?: string } = {},
): string {
  return `'use strict';
const common = require('../common.js');
${head}
const bench = common.createBenchmark(main, ${configs}${options && `, ${options}`});
function main(conf) { ${main} }
`;
}
