import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Subject } from '@bench-cli/results/recording';
import { loadedBuilds, unloadedPaths } from '@bench-cli/subjects/code';
import { expect, it } from 'vitest';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const timeAt = (hour: number) => new Date(`2026-01-02T${hour}:00:00Z`);
const sourceTime = timeAt(10);
const buildTime = timeAt(11);
const later = timeAt(12);

/** A workspace: the measured package requires the package `core`, whose build is loaded through a link, or is a part of its own build. */
const sources = {
  '.gitignore': 'node_modules\ndist\n*.tsbuildinfo\n*.wasm\npackages/plain/index.js\n',
  'package.json': '{ "scripts": { "build": "tsc --build" } }',
  'tsconfig.base.json': '{}',
  'packages/parser/package.json': '{ "name": "parser", "dependencies": { "core": "workspace:*" } }',
  'packages/parser/src/index.ts': '',
  'packages/parser/lib/wasm.js': "new URL('../build/table.wasm', import.meta.url)",
  'packages/parser/build/table.wat': '',
  'packages/core/package.json': '{ "name": "core" }',
  'packages/core/src/index.ts': '',
  'packages/core/test/index.test.ts': '',
  'packages/plain/package.json': '{ "name": "plain" }',
  'packages/plain/index.ts': '',
};
const builds = {
  'packages/parser/dist/index.js': '',
  'packages/parser/dist/cjs/package.json': '{ "type": "commonjs" }',
  'packages/parser/build/table.wasm': '',
  'packages/core/dist/index.js': '',
  'packages/plain/index.js': '',
};
const [parser, core] = ['packages/parser/dist/index.js', 'packages/core/dist/index.js'];
const linked = [parser, core];

/** Each test begins with its files as they are here. */
const tree = untilEnd(gitRepository(sources));
const head = tree.git('rev-parse', 'HEAD');
/** Where the compiler of TypeScript notes a build. */
const noted = 'packages/core/tsconfig.tsbuildinfo';

/** What is said of each build that a working tree loads: `stale` or `doubt`. */
async function said(
  loaded: readonly string[],
  changed: readonly string[],
  rebuilt: readonly string[],
  ofOld: Readonly<Record<string, string>> = {},
) {
  using commit = temporarySuite({});
  for (const [name, text] of Object.entries({ ...builds, ...ofOld })) {
    mkdirSync(dirname(commit.path(name)), { recursive: true });
    writeFileSync(commit.path(name), text);
  }
  tree.write({ ...sources, ...builds });
  for (const name of Object.keys(sources)) utimesSync(tree.path(name), sourceTime, sourceTime);
  for (const name of Object.keys(builds)) utimesSync(tree.path(name), buildTime, buildTime);
  const touch = (time: Date, text: string, names: readonly string[]) => {
    for (const name of names) {
      tree.write({ [name]: text });
      utimesSync(tree.path(name), time, time);
    }
  };
  touch(later, '{ "changed": 1 }', changed);
  touch(timeAt(13), '', rebuilt);
  const common = { base: tree.directory, path: 'packages/parser', commit: head };
  const subjectOf = (name: string, label: string, directory: string): Subject => ({
    ...{ name, label: 'node', executable: 'node', flags: [], env: {} },
    runtime: { name: 'node', version: '26.0.0', arch: 'x64', platform: 'linux' },
    source: { ...common, label, directory },
  });
  const old = subjectOf('old', 'git:main', commit.directory);
  const subjects = [old, subjectOf('new', '.', tree.directory)] as const;
  const files = Object.fromEntries(loaded.map((name) => [name, 'digest']));
  const found = await loadedBuilds(subjects[1], { new: { files } }, { subjects, settings: {} }, undefined);
  rmSync(tree.path(noted), { force: true });
  return found.flatMap(({ doubt, stale }) => stale ?? doubt ?? []);
}

it.each<[string, readonly string[], readonly string[], readonly string[], readonly string[]]>([
  [
    'nothing of a package whose sources are older, beside one that is built',
    linked,
    ['packages/parser/src/index.ts'],
    [parser],
    [],
  ],
  [
    'nothing if the compiler noted a build without a change',
    linked,
    ['packages/core/src/index.ts'],
    [noted],
    [],
  ],
  ['nothing of tests', linked, ['packages/core/test/index.test.ts'], [], []],
  [
    'of WebAssembly that a module reads',
    ['packages/parser/lib/wasm.js'],
    ['packages/parser/build/table.wat'],
    [],
    ['packages/parser is not built since packages/parser/build/table.wat changed'],
  ],
  [
    'nothing of WebAssembly because of a module that is loaded as it is',
    ['packages/parser/lib/wasm.js', 'packages/parser/build/table.wasm'],
    ['packages/parser/lib/wasm.js'],
    [],
    [],
  ],
  [
    'of a file that is built beside its source',
    ['packages/plain/index.js'],
    ['packages/plain/index.ts'],
    [],
    ['packages/plain is not built since packages/plain/index.ts changed'],
  ],
])('a stale build is said: %s', async (_, loaded, changed, rebuilt, expected) => {
  expect(await said(loaded, changed, rebuilt)).toEqual(expected);
});

it('another build of the same sources is doubted, and an old one of other sources', async () => {
  const ofOld = { [core]: '// other' };
  expect(await said(linked, [], [], ofOld)).toEqual(['old has another build of the same sources']);
  expect(await said(linked, ['packages/core/src/index.ts'], [], ofOld)).toEqual([
    'packages/core/src/index.ts changed later',
  ]);
});

const coreSource = 'packages/core/src/index.ts';
it.each<[string, readonly string[], Awaited<ReturnType<typeof unloadedPaths>>]>([
  ['perhaps contains without a source map', [], { bundled: [coreSource], unloaded: [] }],
  [
    'perhaps contains if its map names no files',
    ['webpack://a/b.js'],
    { bundled: [coreSource], unloaded: [] },
  ],
  ['contains', ['../src/index.ts', '../../core/src/index.ts'], { bundled: [], unloaded: [] }],
  ['does not contain', ['../src/index.ts'], { bundled: [], unloaded: [coreSource] }],
])('a build that differs %s a package that is required', async (_, names, expected) => {
  tree.write({ ...sources, ...builds, [`${parser}.map`]: JSON.stringify({ sources: names }) });
  const paths = ['packages/parser/src/index.ts', coreSource];
  const files = { changed: new Set([parser]), directory: tree.directory };
  expect(await unloadedPaths(paths, new Set([parser]), files, undefined)).toEqual(expected);
});
