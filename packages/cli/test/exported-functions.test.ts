import { expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { exportedFunctions } from '../src/init/exported-functions.ts';

type Files = Readonly<Record<string, string>>;

/** Sources of a package, and the functions that it exports, each with its parameters. */
const cases: readonly (readonly [what: string, Files, readonly string[]])[] = [
  [
    'functions and arrows',
    { 'index.js': 'export function f(a, b = 1) {}\nexport const g = async x => x, h = (y) => y;' },
    ['f(a)', 'g(x)', 'h(y)'],
  ],
  [
    'names that are exported later',
    { 'index.js': 'function f(a) {}\nconst g = function (b) {};\nexport { f as e, g as default };' },
    ['e(a)', 'default(b)'],
  ],
  ['an anonymous default', { 'index.js': 'export default function (a, ...rest) {}' }, ['default(a)']],
  ['a default that has a name', { 'index.js': 'const f = (a) => a;\nexport default f;' }, ['default(a)']],
  [
    'a default with properties',
    { 'index.js': 'function f(a) {}\nconst g = (b) => b;\nexport default { f, h: g, i: 1 };' },
    ['default.f(a)', 'default.h(b)'],
  ],
  [
    'other files, and circles of them',
    {
      'index.js': "export * from './a.js';\nexport { g as h } from './a';\nexport * from 'other';",
      'a.js':
        "export function f(a) {}\nexport const g = (b) => b;\nexport * from './index.js';\nexport default f;",
    },
    ['f(a)', 'g(b)', 'h(b)'],
  ],
  [
    'TypeScript',
    {
      'index.ts':
        'export function f<T extends object>(a: readonly string[], b: (c: number) => T, d?: string) {}\nexport type A = 1;\nexport class B {}',
    },
    ['f(a: readonly string[], b: (c: number) => T)'],
  ],
  [
    'JSDoc',
    {
      'index.js':
        '/** @param {number} a */\nexport const e = 1;\n/**\n * @param {string[]} a\n * @param {number} [b]\n */\nexport function f(a, b) {}\nexport function g(a) {}',
    },
    ['f(a: string[])', 'g(a)'],
  ],
  [
    'declarations',
    {
      'index.js': 'var n=t=>t;export{n as f}',
      'index.d.ts': "export { f } from './f.js';\nexport declare const g: (b: { a: 1 }) => void;",
      'f.d.ts': 'export declare function f(title: string): string;',
    },
    ['f(title: string)', 'g(b: { a: 1 })'],
  ],
  [
    'patterns',
    { 'index.js': 'export function f({ a, b }, [c], d) {}' },
    ['f({ a, b }: object, [c]: object, d)'],
  ],
  [
    'CommonJS',
    { 'index.js': 'module.exports = function f(a) {};\nmodule.exports.g = (b) => b;' },
    ['default(a)', 'default.g(b)'],
  ],
  [
    'CommonJS with a name',
    {
      'index.js':
        'function f(a) {}\nf.g = (b) => b;\nf.prototype.h = (c) => c;\nexports = module.exports = f;',
    },
    ['default(a)', 'default.g(b)'],
  ],
  [
    'CommonJS with properties',
    { 'index.js': 'const f = (a) => a;\nmodule.exports = { f, g: f };' },
    ['default.f(a)', 'default.g(a)'],
  ],
  [
    'what compilers make',
    {
      'index.js':
        '"use strict";\nexports.f = void 0;\nconst f = (a) => a;\nexports.f = f;\nfunction g(b) {}\nexports.g = g;',
    },
    ['default.f(a)', 'default.g(b)'],
  ],
  [
    'other CommonJS files, and circles of them',
    {
      'index.js': "const f = require('./f');\nmodule.exports = { f, g: require('./g.js'), h: (c) => c };",
      'f.js': 'module.exports = function (a) {};',
      'g.js': "module.exports = require('./h');",
      'h/index.js': "const { f } = require('..');\nmodule.exports = (b) => b;",
    },
    ['default.f(a)', 'default.g(b)', 'default.h(c)'],
  ],
  [
    'a CommonJS file that is another one',
    { 'index.js': "module.exports = require('./f')", 'f.js': 'exports.f = (a) => a;' },
    ['default.f(a)'],
  ],
  [
    'CommonJS files that require each other',
    { 'index.js': "module.exports = require('./f')", 'f.js': "module.exports = require('.');" },
    [],
  ],
  [
    'CommonJS with declarations',
    { 'index.js': 'exports.f = require("./f");', 'index.d.ts': 'export function f(a: number): void;' },
    ['default.f(a: number)'],
  ],
  [
    'nothing that is a function',
    {
      'index.js':
        'export const a = (1 + 2) * 3, b = a, c = new Map(), d = class {}; const x = y, y = x; export { x, z };',
    },
    [],
  ],
  ['a syntax error', { 'index.js': 'export function f(a {' }, []],
];

it.each(cases)('reads the exported functions of %s', async (_, files, expected) => {
  using suite = temporarySuite(files);
  const entry = 'index.ts' in files ? 'index.ts' : 'index.js';
  const found = await exportedFunctions(suite.path(entry), suite.path('index.d.ts'));
  const texts = found.map(({ name, parameters }) => {
    const list = parameters.map((each) => [each.name, each.type].filter(Boolean).join(': '));
    return `${name}(${list.join(', ')})`;
  });
  expect(texts).toEqual(expected);
});
