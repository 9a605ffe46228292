import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circleIn, importsOf, type SourceImport } from './support/source-graph.ts';

/** What each package may import. `docs/architecture.md` says why. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  results: ['core'],
  stats: ['core', 'results'],
  report: ['core', 'results', 'stats'],
  system: [],
  subjects: ['results', 'system'],
  agent: ['core'],
  benchmarkers: ['core', 'system'],
  runner: ['core', 'results', 'stats', 'system', 'subjects', 'agent', 'benchmarkers'],
  'cluster-server': ['core', 'results', 'runner'],
  cli: [
    'core',
    'results',
    'stats',
    'system',
    'subjects',
    'benchmarkers',
    'report',
    'runner',
    'cluster-server',
  ],
};

/** The wings of the runner, from the lowest: each may import those before it, and those on its own level nothing. */
const runnerWings: readonly (readonly string[])[] = [
  ['http', 'machine'],
  ['check'],
  ['process', 'record'],
  ['suite'],
  ['plan'],
  ['execution'],
  ['task'],
  ['session'],
];

const root = join(import.meta.dirname, '..');
const sources = importsOf(['packages/*/src/**/*.{ts,cts}']);
function packageOf(file: string): string {
  return file.split('/')[1] ?? '';
}

/** The package of ours that an import leads to. */
function targetOf({ to }: SourceImport): string | undefined {
  if (to.startsWith('packages/')) return packageOf(to);
  return /^@bench-cli\/([^/]+)/.exec(to)?.[1];
}

function text({ from, to }: SourceImport): string {
  return `${from} -> ${to}`;
}

describe('imports between packages', () => {
  it.each(Object.entries(mayImport))('%s imports only packages below it', (name, allowed) => {
    const wrong = sources.filter((it) => {
      const target = targetOf(it);
      return (
        packageOf(it.from) === name && target !== undefined && target !== name && !allowed.includes(target)
      );
    });
    expect(wrong.map(text), 'move the code to the lower package: docs/architecture.md').toEqual([]);
  });

  it('go by the name of the package, never into its source', () => {
    const sources = ['packages/*/{src,test,bench,simulation}/**/*.ts', 'scripts/**/*.ts', 'examples/**/*.ts'];
    const all = importsOf(sources);
    const wrong = all.filter(
      ({ from, to }) => /^packages\/[^/]+\/src\//.test(to) && packageOf(to) !== packageOf(from),
    );
    expect(wrong.map(text), 'import from @bench-cli/NAME, whose src/index.ts exports it').toEqual([]);
  });

  it('are types only where benchmarkers imports core', () => {
    const values = sources.filter(
      (it) => packageOf(it.from) === 'benchmarkers' && targetOf(it) === 'core' && !it.isType,
    );
    expect(values.map(text), 'use import type').toEqual([]);
  });
});

describe('imports between the wings of the runner', () => {
  const wingOf = (file: string) => /^packages\/runner\/src\/([^/]+)\//.exec(file)?.[1];
  const levelOf = (wing: string) => runnerWings.findIndex((wings) => wings.includes(wing));

  it('knows every wing', () => {
    const wings = new Set(sources.flatMap(({ from }) => wingOf(from) ?? []));
    expect([...wings].sort(), 'list each folder in runnerWings of this file').toEqual(
      runnerWings.flat().sort(),
    );
  });

  it('never lead upwards, or to a wing on the same level', () => {
    const wrong = sources.filter(({ from, to }) => {
      const [own, other] = [wingOf(from), wingOf(to)];
      return own !== undefined && other !== undefined && own !== other && levelOf(other) >= levelOf(own);
    });
    expect(wrong.map(text), 'move the code to the lower folder, or pass it as an argument').toEqual([]);
  });

  it('never lead to the entry', () => {
    const wrong = sources.filter(({ to }) => /^packages\/[^/]+\/src\/index\.ts$/.test(to));
    expect(wrong.map(text), 'import from the file that has it').toEqual([]);
  });
});

it('only the package of the operating system knows which one it is', () => {
  const files = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root });
  const asks = /process\.platform|['`]\/(?:proc|sys)\b|'(?:taskset|setpriv|taskkill|ps)'/;
  const asking = files.filter((file) => asks.test(readFileSync(join(root, file), 'utf8')));
  expect(asking.filter(isElsewhere), 'ask Platform of packages/system/src/platform.ts').toEqual([]);
});

/** Probes ask for themselves, because the process that is measured loads them, and they must load little. */
function isElsewhere(file: string): boolean {
  return !/^packages\/(?:system\/src|agent\/src\/(?:check|metric))\//.test(file);
}

it('waits for no program without a limit, because the command handles no signal meanwhile', () => {
  // The processes of benchmarks may wait.
  const files = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root, exclude: ['**/preload/**'] });
  const waiting = files.filter((file) =>
    /\b(?:spawnSync|execSync|execFileSync)\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(waiting.sort(), 'use askProgram of @bench-cli/system, or start the program without waiting').toEqual(
    [
      // With the same limit: the agent imports no other package.
      'packages/agent/src/metric/perf.ts',
      'packages/system/src/program.ts',
    ],
  );
});

it('looks up names that others have chosen only among the own properties of an object', () => {
  const lookup =
    /\b(?:configuration|parameters|values|metrics|imports|modules|headers|loaded)(?:\?\.)?\[[a-z]\w*\]/;
  // An object that is written where it is looked up has no type that says whose names these are.
  const literal = /\{[^{}$]*\}\)?\[[a-z]\w*\]/;
  const filled = /\b(?:const|let) \w+: Record<string, .*> = \{\}/;
  const isForeign = (key: string) => /\[(?:name|parameter|metric|key|specifier|request)\]/.test(key);
  const found = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root }).flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, at) => {
      const isChecked = lines.slice(Math.max(0, at - 1), at + 1).some((each) => each.includes('hasOwn('));
      const isUnsafe =
        filled.test(line) || literal.test(line) || (isForeign(lookup.exec(line)?.[0] ?? '') && !isChecked);
      return isUnsafe ? [`${file}:${at + 1}: ${line.trim()}`] : [];
    });
  });
  expect(found, 'use ownValue of @bench-cli/results, or a Map: all objects have "constructor"').toEqual([]);
});

it('no comment is wider than the formatter makes code', () => {
  const { formatter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const wide = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root }).flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    const isWide = (line: string) => line.length > formatter.lineWidth && /^ *(?:\/\/|\/?\*)/.test(line);
    return lines.flatMap((line, at) => (isWide(line) ? [`${file}:${at + 1}`] : []));
  });
  expect(wide, 'wrap or shorten these lines').toEqual([]);
});

describe('a name belongs to one', () => {
  const files = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root }).sort();
  const shared = (owners: readonly (readonly [name: string, file: string])[]) =>
    [...Map.groupBy(owners, ([name]) => name).values()].filter(({ length }) => length > 1);

  it('file', () => {
    const named = files.map((file) => [basename(file).replace(/\.c?ts$/, ''), file] as const);
    expect(shared(named.filter(([name]) => name !== 'index')), 'rename one of the files').toEqual([]);
  });

  it.each([
    ['type', /^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm],
    ['function or value', /^export (?:async )?(?:function\*?|const) (\w+)/gm],
  ])('exported %s', (_kind, exported) => {
    const names = files.flatMap((file) => {
      const declared = readFileSync(join(root, file), 'utf8').matchAll(exported);
      // The overloads of a function have one name.
      return Array.from(
        new Set(Array.from(declared, ([, name = '']) => name)),
        (name) => [name, file] as const,
      );
    });
    expect(names.length).toBeGreaterThan(100);
    expect(shared(names), 'rename one of them').toEqual([]);
  });
});

describe('circles of imports', () => {
  it('do not exist, type imports included', () => {
    expect(circleIn(sources), 'move what both need to a file of its own').toBeUndefined();
  });

  it('are found', () => {
    const edge = (from: string, to: string) => ({ from, to, isType: true });
    expect(
      circleIn([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd'), edge('d', 'e')]),
    ).toEqual(['b', 'c', 'b']);
  });
});
