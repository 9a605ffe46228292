import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Failure } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { failureOf } from '../process/supervisor.ts';
import type { DeclaringTool } from './declared-file.ts';
import { importedModules } from './imported-modules.ts';
import { isNodeCore, nodeCoreSuite } from './node-core-suite.ts';
import { ownSuite } from './own-suite.ts';
import type { SuiteKind } from './suite-kind.ts';

/** The tools whose files can be in suites of all kinds. */
const tools: readonly DeclaringTool[] = [
  { module: 'node:bench', remedy: 'call bench() in the file or in one of its suites' },
  { module: 'tinybench', remedy: 'add a task to a Bench, with bench.add(name, fn)' },
  { module: 'vitest', remedy: 'call bench(name, fn) in the file, or in a test that gets { bench }' },
  { module: 'mitata', remedy: 'call bench(name, fn) in the file, and run()' },
];

/** Tools whose files do not run, by a module that they import, or a function that they call. */
const otherTools = [
  { name: 'benchmark.js', text: /['"`]benchmark['"`]/, module: 'benchmark' },
  { name: 'bench-node', text: /['"`]bench-node['"`]/, module: 'bench-node' },
  { name: 'Deno.bench', text: /\bDeno\.bench\(/ },
];

/** The tool whose module a file imports, unless it is a script of ours. The failure if its files do not run. */
export async function toolOf(path: string): Promise<DeclaringTool | Failure | undefined> {
  const source = orElse(() => readFileSync(path, 'utf8'), undefined);
  if (source === undefined)
    return failureOf('not started', 'cannot be read: check the permissions of the file, and the disk');
  const candidates = tools.filter(({ module }) => source.includes(module));
  const others = otherTools.filter(({ text }) => text.test(source));
  if (candidates.length + others.length === 0) return undefined;
  const modules = await importedModules(source);
  if (modules.has('@bench-cli/core')) return undefined;
  const tool = candidates.find(({ module }) => modules.has(module));
  if (tool !== undefined) return tool;
  const other = others.find((each) => each.module === undefined || modules.has(each.module));
  if (other === undefined) return undefined;
  return failureOf(
    'not started',
    `is a file of ${other.name}, which does not run under bench-cli: declare its functions with bench() of tinybench or mitata, or with createBenchmark of @bench-cli/core, as "Coming from benchmark.js" in the docs shows`,
  );
}

/** A directory of benchmarks and its kind. */
export interface Suite {
  readonly kind: SuiteKind;
  readonly directory: string;
}

/** A directory as a suite. */
export function suiteAt(directory: string): Suite {
  return { kind: isNodeCore(directory) ? nodeCoreSuite : ownSuite, directory };
}

/** The recognised suite that contains a file or directory; undefined if there is none, so that the user names the suite. */
export function suiteAround(path: string): Suite | undefined {
  for (let directory = dirname(path), at = path; at !== directory; at = directory, directory = dirname(at)) {
    const suite = suiteAt(directory);
    if (suite.kind !== ownSuite) return suite;
  }
  return undefined;
}
