import { argumentsOf } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { startedOnce } from '../../../../test/support/scripted-rates.ts';
import {
  eventsIn,
  failuresOf,
  plannedIn,
  runsOf,
  type SessionOptions,
  warningsOf,
} from '../../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../../test/support/suite.ts';
import { sharedSuite } from '../../../../test/support/until-end.ts';
import { expectAllFormats, ran, run } from './node-bench-session.ts';

const record =
  "import { bench, suite } from 'node:bench';\nconst measure = (b) => b.record({ operations: 2, duration_ns: 1_000_000_000n });\n";

const scripted = startedOnce();

/** Two benchmarks, one of them with four configurations. */
const several = `${record}
for (const n of [1, 2]) for (const copy of [true, false]) bench('copy', { params: { n, copy }, tags: ['Memory'] }, measure);
suite('text', { tags: ['text'] }, () => bench('join', measure));
`;

describe('a file of node:bench', () => {
  // Other releases of Node.js are in formats.measured.test.ts.
  it('runs in all formats', () => expectAllFormats(process.execPath, true));

  it('runs with the flag of the module of Node.js as well, under the same stand-in', async () => {
    const subjects = { node: { flags: ['--experimental-bench'] } };
    const events = await run({ 'g/several.mjs': several }, { subjects, filter: ['join'] });
    expect(ran(events)).toEqual(['g/several.mjs > text > join: 2']);
  });

  it('runs next to files of other kinds', async () => {
    const files = { 'g/a.ts': benchmark('{ n: 1 }', 'bench.report(5, 1n);'), 'g/b.mjs': several };
    const events = await run(files, { set: ['copy=true', 'n=1'] });
    const copied = 'g/b.mjs > copy copy=true n=1: 2';
    expect(ran(events)).toEqual(['g/a.ts n=1: 5', copied, 'g/b.mjs > text > join: 2']);
    using core = nodeCoreSuite({
      'g/a.js': script('{ n: 1 }'),
      'g/b.js':
        "const { bench } = require('node:bench');\nbench('b', (b) => b.record({ operations: 1, duration_ns: 1n }));\n",
    });
    const names = ran(await eventsIn(core)).map((text) => text.split(':', 1)[0]);
    expect(names).toEqual(['g/a.js n=1', 'g/b.js > b']);
  });

  const mean =
    "bench('mean', { samples: 9 }, (b) => b.record({ operations: b.index + 1, duration_ns: 1_000_000_000n }));";
  const calls =
    "let calls = 0; bench('calls', { warmup: 2 }, (b) => b.record({ operations: ++calls, duration_ns: 1_000_000_000n }));";
  const sampled = sharedSuite({ 'g/a.mjs': `${record}${calls}\n${mean}\n` });
  it.each<[what: string, options: SessionOptions, mean: number, calls: number]>([
    ['one sample after the warm-up that it declares', {}, 1, 3],
    ['the samples and the warm-up that the session asks for', { samples: 4, warmup: 4 }, 2.5, 6.5],
    ['one sample without a warm-up', { warmup: 0 }, 1, 1],
    ['neither in a session of the shortest runs', { warmup: 4, samples: 9, shortest: true }, 1, 1],
  ])('has the mean of %s', async (_, options, ofMean, ofCalls) => {
    expect(ran(await eventsIn(sampled, { ...options, scripted }))).toEqual([
      `g/a.mjs > calls: ${ofCalls}`,
      `g/a.mjs > mean: ${ofMean}`,
    ]);
  });

  it('reports skipped benchmarks, and those that others with only replace', async () => {
    const events = await run({}, {}, ['selection.mjs']);
    const names = ran(events).map((text) => text.split(':', 1)[0]);
    expect(names).toEqual(['only > a', 'only > b', 'also'].map((name) => `g/selection.mjs > ${name}`));
    expect(warningsOf(events)).toEqual([
      expect.stringMatching(/^g\/selection.mjs > skipped: skipped/),
      expect.stringMatching(/^g\/selection.mjs > skipped with a reason: skipped.* no time/),
      expect.stringMatching(/^g\/selection.mjs > not skipped: skipped/),
      expect.stringMatching(/^g\/selection.mjs > skipping > inside: skipped/),
      expect.stringMatching(/^g\/selection.mjs: skipped 1 .*only/),
    ]);
  });
});

describe('the benchmarks of a file of node:bench', () => {
  const suite = sharedSuite({
    'g/several.mjs': several,
    'g/other.ts': benchmark('{ n: 1 }', 'bench.report(5, 1n);'),
    'g/_rate.mjs': `${record}bench('r', { params: { rate: 1 } }, measure);\n`,
  });
  const planned = async (options: SessionOptions) => {
    const benchmarks = await plannedIn(suite, { ...options, scripted });
    return benchmarks.flatMap(({ name, configurations }) =>
      configurations.map((each) => [name, ...argumentsOf(each)].join(' ')),
    );
  };
  const [join, other] = ['g/several.mjs > text > join', 'g/other.ts n=1'];

  it('have a case for each combination of their params', async () => {
    const copies = ['copy=true n=1', 'copy=false n=1', 'copy=true n=2', 'copy=false n=2'];
    expect(await planned({})).toEqual([other, ...copies.map((each) => `g/several.mjs > copy ${each}`), join]);
  });

  it.each<[options: SessionOptions, names: readonly string[]]>([
    [{ filter: ['join'] }, [join]],
    [{ filter: ['join', 'other'] }, [other, join]],
    [{ filter: ['several'], exclude: ['copy'] }, [join]],
    [{ filter: ['/^several.*> (TEXT|url)/i'] }, [join]],
    [{ exclude: ['/^several/'] }, [other]],
    [{ tags: ['TEXT'] }, [join]],
    [{ set: ['n=2', 'n=3', 'copy=false'], filter: ['copy'] }, ['g/several.mjs > copy copy=false n=2']],
    [{ test: true }, [other, 'g/several.mjs > copy copy=true n=1', join]],
  ])('are selected by %j', async (options, expected) => {
    expect(await planned(options)).toEqual(expected);
  });

  it.each<[options: SessionOptions, code: string, ...values: string[]]>([
    [{ filter: ['/(/'] }, 'SELECTION'],
    [{ filter: ['missing'] }, 'SELECTION', '"missing"', 'g/several.mjs > copy'],
    [{ tags: ['missing'] }, 'NO_CONFIGURATION'],
    [{ set: ['size=1'] }, 'UNKNOWN_PARAMETER'],
  ])('are refused with %j', async (options, code, ...values) => {
    await expect(planned(options)).rejects.toThrow(errorWith(code, ...values));
  });

  it('have the name of a file alone, if they are ports of it', async () => {
    const port = `${record}for (const name of ['g/a.mjs', 'a.mjs']) bench(name, measure);\n`;
    using ported = temporarySuite({ 'g/_a.node-bench.mjs': port, 'g/a.mjs': port, 'g/_b.mjs': port });
    const of = async (...items: readonly string[]) =>
      (await plannedIn(ported, { items, scripted })).map(({ name }) => name);
    expect(await of('g/_a.node-bench.mjs', 'g/_b.mjs')).toEqual([
      ...['g/a.mjs', 'g/_a.node-bench.mjs > a.mjs'],
      ...['g/_b.mjs > g/a.mjs', 'g/_b.mjs > a.mjs'],
    ]);
    await expect(of('g/a.mjs', 'g/_a.node-bench.mjs')).rejects.toMatchObject({ code: 'ERR_BENCH_SELECTION' });
  });

  it('are measured one at a time by scatter', async () => {
    const scatter = (options: SessionOptions) => planned({ command: 'scatter', ...options });
    const item = { items: ['g/several.mjs'] };
    await expect(scatter(item)).rejects.toThrow(errorWith('SELECTION', 'g/several.mjs > text > join'));
    expect(await scatter({ ...item, filter: ['> copy'] })).toHaveLength(4);
    await expect(scatter({ items: ['g/_rate.mjs'] })).rejects.toThrow(errorWith('PARAMETER'));
  });
});

it('failures are those of one benchmark, with the error that was thrown and its place, or of the module or a suite when the file is planned', async () => {
  const events = await run({
    'g/a.mjs': `${record}
bench('good', measure);
bench('bad', () => {
  throw new RangeError('boom');
});
bench('exits', () => process.exit(3));
bench('also good', measure);
`,
    'g/b.mjs': `${record}bench('x', measure);\nsuite('s', () => { throw new Error('in the suite'); });`,
    'g/c.mjs': `${record}bench('x', measure);\nthrow new TypeError('in the module');`,
    'g/d.mjs': record,
  });
  const thrown = ['g/b.mjs > s: Error: in the suite', 'g/c.mjs: TypeError: in the module'];
  expect(failuresOf(events)).toEqual([...thrown, expect.stringMatching(/^g\/d.mjs: /)]);
  expect(ran(events)).toEqual([
    'g/a.mjs > good: 2',
    'g/a.mjs > bad: RangeError: boom',
    expect.stringMatching(/^g\/a.mjs > exits: .*\b3$/),
    'g/a.mjs > also good: 2',
    'g/b.mjs > x: 2',
  ]);
  const [, bad] = runsOf(events);
  expect(bad).toMatchObject({ failure: { kind: 'threw', place: expect.stringMatching(/g\/a.mjs:6:9$/) } });
});
