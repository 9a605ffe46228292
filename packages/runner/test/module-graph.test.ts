import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedSuite } from '../../../test/support/until-end.ts';
import { moduleGraph } from '../src/plan/module-graph.ts';

const files = sharedSuite({
  'loaded.js': '',
  'late.js': '',
  'data.json': '{}',
  'addon.node': '',
  'node_modules/dep/package.json': '{ "name": "dep", "main": "main.js" }',
  'node_modules/dep/main.js':
    "module.exports = () => require('./late'); try { require('optional') } catch {}",
  'node_modules/dep/late.js': '',
  'node_modules/reader/package.json': '{ "name": "reader" }',
  'node_modules/reader/main.js': "require('./late');",
  'node_modules/reader/late.js': "require('fs');",
  'subject/node_modules/@bench-cli/core/lib/index.js': "import 'node:fs';",
  'subject/node_modules/dep/package.json': '{ "name": "dep", "main": "main.js" }',
  'subject/node_modules/dep/main.js': '',
});

/** The graph of a file whose process has loaded `loaded.js` and the package, too. */
const graphOf = async (source: string, name = 'file.js', imports = {}) => {
  writeFileSync(files.path(name), source);
  const loaded = [name, 'loaded.js', 'node_modules/dep/main.js'].map((each) => files.path(each));
  return await moduleGraph(loaded, { imports });
};

describe('a file can load or read others when it runs', () => {
  it.each([
    ["import('./' + name)", 'computes'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source.
    ['import(`./${name}.js`)', 'computes'],
    ['require(name)', 'computes'],
    ['module.require(name)', 'computes'],
    ["require.main.require('./late.js')", 'computes'],
    ['names.map(require)', 'computes'],
    ['const load = require;', 'computes'],
    ["[...require('./late.js')]", 'late.js'],
    ["const u = 'http://x'; require(name)", 'computes'],
    ["import { createRequire } from 'node:module'; createRequire(import.meta.url)(name);", 'computes'],
    ["const { createRequire } = require('module'); const load = createRequire(__filename);", 'computes'],
    ["import { createRequire as from } from 'node:module'; from(import.meta.url)(name);", 'node:module'],
    ["import { register } from 'node:module'; register('./late.js', import.meta.url);", 'node:module'],
    ["process.dlopen(module, './addon.node')", 'computes'],
    ["import('./late.js')", './late.js'],
    ["function main() { return require('./late.js'); }", './late.js'],
    ["import('dep')", 'dep'],
    ["require('./addon.node')", './addon.node'],
    ["require('missing')", 'missing'],
    ["import 'fs';", 'fs'],
    ["import { readFile } from 'node:fs/promises';", 'node:fs/promises'],
    ["process.getBuiltinModule('fs')", 'fs'],
    ["globalThis.process?.getBuiltinModule?.('node:fs')", 'node:fs'],
    ["process/* */.getBuiltinModule('fs')", 'fs'],
    ["import { getBuiltinModule as load } from 'node:process'; load('fs');", 'computes'],
    ["const { env, getBuiltinModule: load } = process; load('fs');", 'computes'],
    ["const load = process.getBuiltinModule; load('fs');", 'computes'],
    ["process?.dlopen(module, './addon.node')", 'computes'],
    ["import { argv, loadEnvFile } from 'process'; loadEnvFile();", 'computes'],
    ["import { Worker } from 'node:worker_threads';", 'node:worker_threads'],
    ["const { fork } = require('child_process');", 'child_process'],
    ['import x from ', 'computes'],
  ])('%s', async (source, reason) => {
    const { open } = await graphOf(source);
    expect(open).toEqual({ path: files.path('file.js'), reason: expect.stringContaining(reason) });
  });

  it('if a file of a package that it loads can', async () => {
    const path = files.path('node_modules/reader/main.js');
    const { open } = await moduleGraph([path], { imports: {} });
    expect(open?.path).toBe(files.path('node_modules/reader/late.js'));
  });

  it('if its package is another one for the subject', async () => {
    const imports = { dep: new URL(`file://${files.path('subject/file.js')}`).href };
    expect((await graphOf("require('dep')", 'file.js', imports)).open?.reason).toContain('dep');
  });
});

describe('a file loads only what is known', () => {
  it.each([
    "import './loaded.js'; export * from './loaded.js'; import dep from 'dep'; import 'node:url';",
    "import('./loaded.js'); require('./loaded'); require('dep'); require('node:path'); import('@bench-cli/core');",
    "// require(name)\n/* import(name), require(name) */ const s = 'require(name)'; const r = /require(name)/; x.require(name);",
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); require('dep');",
    "if (typeof require === 'undefined' || require.main === module) require.resolve('x');",
  ])('%s', async (source) => {
    expect((await graphOf(source)).open).toBe(undefined);
  });

  it('of the installed @bench-cli/core, whatever that imports', async () => {
    const path = files.path('subject/node_modules/@bench-cli/core/lib/index.js');
    expect((await moduleGraph([path], { imports: {} })).open).toBe(undefined);
  });

  it('whatever types it imports', async () => {
    const source = "import type { T } from './late.ts'; const u: import('./late.ts').U = 1;";
    expect((await graphOf(source, 'file.ts')).open).toBe(undefined);
  });

  it.each(["import data from './data.json' with { type: 'json' };", "require('./data.json');"])(
    'with the data of %s',
    async (source) => {
      const { files: found, open } = await graphOf(source);
      expect([open, found.has(files.path('data.json'))]).toEqual([undefined, true]);
    },
  );

  it('with the version of each package, and the files that it loads later', async () => {
    const { files: found, open } = await graphOf("import 'dep';");
    const names = ['package.json', 'late.js'].map((name) => files.path(`node_modules/dep/${name}`));
    expect([open, names.filter((name) => found.has(name))]).toEqual([undefined, names]);
  });
});
