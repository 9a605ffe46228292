import { describe, expect, it } from 'vitest';
import { runUnder } from './typescript-runs.ts';

/** Sources of a project that its own tools compile: Node.js only removes types. */
const project = {
  'package.json': '{ "type": "module" }',
  'tsconfig.base.json': '{ "compilerOptions": { "experimentalDecorators": true, "jsx": "react-jsx" } }',
  'tsconfig.json': `{
    "extends": "./tsconfig.base.json",
    "compilerOptions": { "jsxImportSource": "html", "baseUrl": ".", "paths": { "@lib/*": ["_src/lib/*"] } }
  }`,
  'node_modules/old/package.json': '{}',
  'node_modules/old/lib/zero.js': 'exports.zero = 0;',
  'node_modules/html/package.json': '{ "exports": { "./jsx-runtime": "./jsx-runtime.js" } }',
  'node_modules/html/jsx-runtime.js': 'exports.jsx = (type, { children }) => children;',
  '_src/lib/deep.ts': 'export const deep: number = 100;',
  '_src/shape.ts':
    'export interface Shape { side: number } export const side = (shape: Shape) => shape.side;',
  '_src/view.tsx': 'export const view = <b>{1000 as number}</b>;',
  '_src/index.ts': `
import { deep } from '@lib/deep';
import { Shape, side } from './shape.js';
import { view } from './view';
import { zero } from 'old/lib/zero';
export enum Kind { Small = 1, Large }
namespace Sizes { export const extra = 10000; }
function twice(target: object, key: string, described: PropertyDescriptor) {
  return { ...described, value(this: Square) { return described.value.call(this) * 2; } };
}
export class Square {
  constructor(private readonly length: number) {}
  @twice
  size() { return side({ side: this.length } as Shape) + deep + view + Sizes.extra + Kind.Large + zero; }
  fail(): never {
    throw new Error('here');
  }
}`,
};
const size = 2 * (3 + 100 + 1000 + 10000 + 2);
const importing = (file: string) => `import { Square } from '../_src/${file}';`;
const created = (main: string) =>
  `import { createBenchmark } from '@bench-cli/core'; createBenchmark((conf, bench) => { ${main} }, { n: 1 });`;

describe('TypeScript that the tools of a project compile', () => {
  it('runs: enums, namespaces, parameter properties, decorators, JSX, paths, imports of types, and .js for .ts', async () => {
    const report = created('bench.report(new Square(3).size(), 1n);');
    const runs = await runUnder(process.execPath, {
      ...project,
      'g/a.ts': importing('index.ts') + report,
      'g/b.js': importing('index.js') + report,
      'g/c.bench.ts': `${importing('index')} import { bench } from 'vitest';
bench('c', () => { if (new Square(3).size() !== ${size}) throw new Error('another size'); }, { time: 1 });`,
    });
    expect(runs.map((run) => [run.benchmark, run.status === 'ok' ? run.values.rate : run.failure])).toEqual([
      ['g/a.ts', size],
      ['g/b.js', size],
      ['g/c.bench.ts > c', expect.any(Number)],
    ]);
  });

  it('is compiled by the process that plans it, and no other loads the compiler', async () => {
    const loaded = "process.report.getReport().sharedObjects.some((each) => each.includes('oxc'))";
    const report = created(`bench.report(${loaded} ? 1 : plain, 1n);`);
    const runs = await runUnder(process.execPath, {
      ...project,
      '_src/plain.js': 'export const plain = 2;',
      'g/a.ts': importing('index.ts') + created(`new Square(1); bench.report(${loaded} ? 1 : 2, 1n);`),
      'g/b.js': `import { plain } from '../_src/plain';${report}`,
    });
    expect(runs).toMatchObject([{ values: { rate: 2 } }, { values: { rate: 2 } }]);
  });

  it('has the places of its source in errors', async () => {
    const failing = importing('index.ts') + created('new Square(3).fail();');
    const [run] = await runUnder(process.execPath, { ...project, 'g/a.ts': failing });
    expect(run).toMatchObject({
      failure: { message: 'Error: here', place: expect.stringMatching(/_src\/index\.ts:16:11$/) },
    });
  });

  it('is compiled without the options of a tsconfig.json that extends one which is not installed', async () => {
    const report = created('bench.report(new Square(3).length, 1n);');
    const [run] = await runUnder(process.execPath, {
      'tsconfig.json': '{ "extends": "@not/installed" }',
      '_src/index.ts': 'export class Square { constructor(readonly length: number) {} }',
      'g/a.ts': importing('index') + report,
    });
    expect(run).toMatchObject({ values: { rate: 3 } });
  });

  it.each([
    [
      'a directory',
      {},
      { '_src/index.ts': "export { one } from './part';", '_src/part/index.ts': 'export const one = 1;' },
    ],
    ['ES modules in CommonJS', { type: 'commonjs' }, { '_src/index.ts': 'export const one: number = 1;' }],
  ])('is found as bundlers do: %s', async (_, manifest, files) => {
    const [run] = await runUnder(process.execPath, {
      ...{ ...files, '_src/package.json': JSON.stringify(manifest) },
      'g/a.ts': `import { one } from '../_src/index.ts'; ${created('bench.report(one, 1n);')}`,
    });
    expect(run).toMatchObject({ values: { rate: 1 } });
  });

  it('says which file is missing to the compiled code', async () => {
    const files = { '_src/index.ts': "import './lib';", '_src/lib.ts': "import './missing';" };
    const importer = { 'g/a.ts': `import '../_src/index'; ${created('')}` };
    await expect(runUnder(process.execPath, { ...files, ...importer })).rejects.toThrow(/_src\/missing/);
  });

  it('is refused with the place of what is invalid', async () => {
    const broken = { '_src/index.ts': 'enum Kind { A }\nexport const a: = 1;' };
    const files = { ...project, ...broken, 'g/a.ts': importing('index.ts') + created('new Square(3);') };
    await expect(runUnder(process.execPath, files)).rejects.toThrow(/^invalid TypeScript: /);
  });
});
