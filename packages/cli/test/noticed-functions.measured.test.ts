import { globSync, readFileSync } from 'node:fs';
import { traceFunctions } from '@bench-cli/runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { requestIn } from '../../../test/support/session-events.ts';
import { benchmark, privateCache, temporarySuite } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

/** Each call takes so long that a profile has samples of it. */
const busy = 'let sum = 0; for (let i = 0; i < 1e5; i++) sum = (sum * 31 + i) | 0; return sum;';
const measured = (calls: string) =>
  `let all = 0; bench.start(); for (let i = 0; i < conf.n; i++) { ${calls} } bench.end(conf.n); globalThis.all = all;`;

const project = sharedSuite({
  'package.json': JSON.stringify({
    ...{ name: 'project', type: 'module' },
    exports: {
      '.': './index.js',
      './extra': './extra.cjs',
      './typed': './typed.ts',
      './data': './data.json',
    },
  }),
  'index.js': `import { inner } from './inner.js';
export default function main() { return inner(1) + inner(2); }
export { Parser } from './parser.js';
export { built } from './dist/built.js';
export const never = (text) => { if (text === '') return 0; return text.length + main(); };
`,
  'inner.js': `export function inner(from) { ${busy} }\n`,
  'parser.js': `export class Parser {
  #from = 0;
  parse() { ${busy} }
  static never() { return new Parser(); }
}
`,
  'extra.cjs': `exports.twice = (x) => { ${busy} };\nexports.unused = function () {};\n`,
  'typed.ts': `interface Options { readonly from: number }\n\nexport function typed({ from }: Options): number { ${busy} }\n`,
  'dist/built.js': `export function built() { ${busy} }\n//# sourceMappingURL=built.js.map\n`,
  // The line of the build is the eleventh of the source.
  'dist/built.js.map': '{"version":3,"sources":["../src/built.ts"],"names":[],"mappings":"AAUA"}',
  'alone.js': `export function alone() { ${busy} }\n`,
  'benchmarks/g/a.js': benchmark('{ n: 100 }', measured('all += parser.parse();'), {
    head: "import { Parser } from 'project';\nconst parser = new Parser();",
  }),
  'benchmarks/g/b.ts': benchmark(
    '{ n: 40 }',
    measured('all += main() + twice(i) + typed({ from: i }) + built();'),
    {
      head: "import main, { built } from '../../index.js';\nimport extra from '../../extra.cjs';\nimport { typed } from '../../typed.ts';\nconst { twice } = extra;",
    },
  ),
  'compiled.ts': `enum Kind { One, Two }

export function compiled(from: number): number { let sum = from; for (let i = 0; i < 1e4; i++) sum = caller(sum); return sum; }
function caller(from: number): number { return inlined(from) | 0; }
const inlined = (from: number): number => { ${'from = (from * 31 + 7) | 0; '.repeat(20)}return from; };
`,
  'benchmarks/deep/b.js': benchmark('{ n: 60 }', measured('all += compiled(i);'), {
    head: "import { compiled } from '../../compiled.ts';",
  }),
  'benchmarks/deep/a.js': benchmark('{ n: 20 }', measured('all += alone();'), {
    head: "import { alone } from '../../alone.js';",
  }),
});

const env = { BENCH_CLI_CACHE: privateCache(project) };
/** The profiles are real, and the noise of the comparison is not. */
const scripted = anyRates(true);
const check = (...args: string[]) => benchCli(['check', ...args], { cwd: project.directory, env, scripted });
const functions = async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await check('--functions', '--format', 'json', ...args);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
};

describe('check --functions', () => {
  let found: Awaited<ReturnType<typeof functions>>;
  beforeAll(async () => {
    found = await functions('g', '--html', 'functions.html');
  });

  it.each([
    ['of a default export', 'main', 'index.js:2', 'g/b.ts n=40', true],
    ['of a class', 'Parser.parse', 'parser.js:3', 'g/a.js', true],
    ['of CommonJS', 'twice', 'extra.cjs:1', 'g/b.ts n=40', true],
    ['of TypeScript, at its line', 'typed', 'typed.ts:3', 'g/b.ts n=40', true],
    ['of a build, at the line of its source', 'built', 'src/built.ts:11', 'g/b.ts n=40', true],
    ['that is not exported and takes 1 % of a case', 'inner', 'inner.js:1', 'g/b.ts n=40', false],
  ])('names a function %s, and the case that notices it', (_, name, place, by, isExported) => {
    // V8 can move a function that is called in one place only into its caller.
    const noticed = name === 'main' ? expect.anything() : expect.stringContaining(by);
    expect(found.functions.filter((one: { readonly place: string }) => one.place === place)).toEqual([
      expect.objectContaining({ name, isExported, isExecuted: true, by: expect.toBeOneOf([noticed, null]) }),
    ]);
  });

  it('lists the exported functions that no benchmark runs first', () => {
    const unused = { isExported: true, isExecuted: false, from: null, by: null, share: 0 };
    const never = ['never', 'Parser.never', 'unused'].map((name) =>
      expect.objectContaining({ ...unused, name }),
    );
    expect(found.functions.slice(0, 3)).toEqual(expect.arrayContaining(never));
    expect(found.functions[3].isExecuted).toBe(true);
  });

  it('is written to a page', () => {
    expect(readFileSync(project.path('functions.html'), 'utf8')).toContain('src/built.ts:11');
  });

  it('takes the noise of a case from a session that is recorded', async () => {
    const again = await functions('g/a.js', '--budget', '1ms');
    expect(globSync('cache/sessions/*.jsonl', { cwd: project.directory })).toHaveLength(1);
    expect(again.maxRuns).toBe(0);
    expect(again.functions.every(({ from }: { readonly from: unknown }) => from === null)).toBe(true);
  });

  it('names the lines in TypeScript that the process compiles, and counts an inlined function for itself', async () => {
    const { functions: listed } = await functions('deep');
    const shareAt = (place: string) =>
      listed.find((each: { readonly place: string }) => each.place === place)?.share ?? 0;
    // The benchmarks load nothing that the package exports, so what they load counts.
    const exported = listed.filter((each: { readonly isExported: boolean }) => each.isExported);
    expect(exported.map((each: { readonly place: string }) => each.place).sort()).toEqual([
      'alone.js:1',
      'compiled.ts:3',
    ]);
    expect(listed).toContainEqual(expect.objectContaining({ name: 'inlined', place: 'compiled.ts:5' }));
    expect(shareAt('compiled.ts:5')).toBeGreaterThan(2 * shareAt('compiled.ts:4'));
  });

  it('says in a sentence why the exports of the package cannot be loaded', async () => {
    using other = temporarySuite({
      'package.json': '{ "name": "other", "type": "module", "exports": "./index.js" }',
      'g/a.js': benchmark('{}', 'bench.report(1, 1n);'),
    });
    const events = await Array.fromAsync(traceFunctions(await requestIn(other)));
    const reason = /^what the project exports cannot be loaded: .*Cannot find .*index\.js.*$/;
    expect(events).toContainEqual({ type: 'warning', message: expect.stringMatching(reason) });
  });
});

it.each([
  ['--budget', '1s'],
  ['--html', 'x.html'],
  ['--format', 'markdown'],
])('refuses %s without --functions', async (option, value) => {
  expect(await check('g', option, value)).toEqual(usageError('OPTION_CONFLICT', option, '--functions'));
});
