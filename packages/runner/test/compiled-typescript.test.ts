import { describe, expect, it } from 'vitest';
import { eventsIn, failuresOf } from '../../../test/support/session-events.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
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
  it('runs: enums, namespaces, parameter properties, decorators, JSX, paths, imports of types, and .js for .ts; only the process that plans it loads the compiler', async () => {
    const loaded = "process.report.getReport().sharedObjects.some((each) => each.includes('oxc'))";
    const report = created(`bench.report(${loaded} ? 1 : new Square(3).size(), 1n);`);
    const runs = await runUnder(process.execPath, {
      ...project,
      '_src/plain.js': 'export const plain = 2;',
      'g/a.ts': importing('index.ts') + report,
      'g/b.js': importing('index.js') + report,
      'g/c.bench.ts': `${importing('index')} import { bench } from 'vitest';
bench('c', () => { if (new Square(3).size() !== ${size}) throw new Error('another size'); }, { time: 1 });`,
      'g/d.js': `import { plain } from '../_src/plain';${created(`bench.report(${loaded} ? 1 : plain, 1n);`)}`,
      'g/fails.ts': importing('index.ts') + created('new Square(3).fail();'),
    });
    expect(runs.map((run) => [run.benchmark, run.status === 'ok' ? run.values.rate : run.failure])).toEqual([
      ['g/a.ts', size],
      ['g/b.js', size],
      ['g/c.bench.ts > c', expect.any(Number)],
      ['g/d.js', 2],
      [
        'g/fails.ts',
        // The places of its source.
        expect.objectContaining({
          message: 'Error: here',
          place: expect.stringMatching(/_src\/index\.ts:16:11$/),
        }),
      ],
    ]);
  });

  it('is found as bundlers do, and compiled without the options of a tsconfig.json that extends one which is not installed', async () => {
    const importingOne = (path: string) =>
      `import { one } from '../${path}'; ${created('bench.report(one, 1n);')}`;
    const runs = await runUnder(process.execPath, {
      'tsconfig.json': '{ "extends": "@not/installed" }',
      '_src/part/index.ts': 'export const one = 1;',
      '_src/index.ts': "export { one } from './part';",
      '_cjs/package.json': '{ "type": "commonjs" }',
      '_cjs/index.ts': 'export const one: number = 1;',
      '_src/square.ts':
        'class Square { constructor(readonly length: number) {} }\nexport const one = new Square(1).length;',
      'g/a.ts': importingOne('_src/index.ts'),
      'g/b.ts': importingOne('_cjs/index.ts'),
      'g/c.ts': importingOne('_src/square'),
    });
    expect(runs).toMatchObject(Array(3).fill({ values: { rate: 1 } }));
  });

  it('names a file that is missing, and the place of what is invalid', async () => {
    using suite = temporarySuite({
      ...project,
      '_src/lib.ts': "import './missing';",
      'g/a.ts': `import '../_src/lib'; ${created('')}`,
      '_src/broken.ts': 'enum Kind { A }\nexport const a: = 1;',
      'g/b.ts': `import '../_src/broken.ts'; ${created('')}`,
    });
    expect(failuresOf(await eventsIn(suite))).toEqual([
      expect.stringMatching(/_src\/missing/),
      expect.stringMatching(/^g\/b\.ts: invalid TypeScript: /),
    ]);
  });
});
