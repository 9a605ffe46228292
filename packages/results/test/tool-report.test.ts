import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { toolReport } from '../../../test/support/tool-report.ts';
import { caseName } from '../src/case.ts';
import { isToolReport, readToolReport } from '../src/tool-report/tool-report.ts';

const read = (text: string) => {
  const { samples, files, ...report } = readToolReport(text, 'a.json');
  const rates = samples.map((sample) => [caseName(sample), ...Array.from(sample.rates)]);
  return { ...report, files: files.map(({ name }) => name), rates: Object.fromEntries(rates) };
};

/** A report of mitata with these times, nanoseconds. */
const times = (...all: readonly (readonly [alias: string, avg: unknown])[]) =>
  JSON.stringify({
    layout: [{ name: null }],
    benchmarks: all.map(([alias, avg]) => ({ alias, group: 0, args: {}, runs: [{ stats: { avg } }] })),
  });

describe('the report of', () => {
  it('node:bench has the mean rate of the samples, and says what has none', () => {
    expect(read(toolReport('node-bench.jsonl'))).toEqual({
      tool: 'node:bench',
      files: ['text/join.mjs', 'url/parse.mjs', 'url/unloadable.mjs'],
      rates: {
        'text/join.mjs > text > join count=10 trim=true': expect.closeTo(4036733.2, 0),
        'text/join.mjs > text > join count=1000 trim=true': expect.closeTo(69343.8, 0),
        'url/parse.mjs > parse': expect.closeTo(1400228.2, 0),
      },
      unrated: [
        'text/join.mjs > text > later: skipped',
        'text/join.mjs > text > broken: no such word',
        'url/unloadable.mjs: cannot be loaded',
      ],
    });
  });

  it('vitest has the operations by their time, under the names of suites, tests and tasks', () => {
    expect(read(toolReport('vitest.json'))).toEqual({
      tool: 'vitest',
      files: ['path.bench.js', 'sort.bench.js'],
      rates: {
        'path.bench.js > join > two': expect.closeTo(2625297.4, 0),
        'sort.bench.js > words > sort > by code unit': expect.closeTo(11476.35, 1),
        'sort.bench.js > words > sort > by locale': expect.closeTo(6783.22, 1),
        'sort.bench.js > reverse > reversed': expect.closeTo(642473.7, 0),
      },
      unrated: [
        'sort.bench.js > reverse > stored: read from a stored result',
        'sort.bench.js > reverse: AssertionError: expected 1 to be 2 // Object.is equality',
      ],
    });
  });

  it('mitata has a case for each combination of arguments', () => {
    const sort = 'mitata > sort > sort by $by, $length words';
    expect(read(toolReport('mitata.json'))).toEqual({
      tool: 'mitata',
      files: ['mitata'],
      rates: {
        [`${sort} by='code unit' length=10`]: expect.closeTo(1278408.8, 0),
        [`${sort} by='locale' length=10`]: expect.closeTo(1603774.2, 0),
        [`${sort} by='code unit' length=1000`]: expect.closeTo(10940.49, 1),
        [`${sort} by='locale' length=1000`]: expect.closeTo(6854.85, 1),
        "mitata > keys x='#1'": expect.closeTo(186582689, -1),
        "mitata > keys x='#2'": expect.closeTo(12282408.9, 0),
      },
      unrated: ['mitata > broken: no such word'],
    });
  });
});

describe('a report', () => {
  it('leaves out rates that a clock cannot show', () => {
    expect(read(times(['a', 0], ['b', 1e9], ['c', -1], ['d', 1e-320]))).toMatchObject({
      rates: { 'mitata > b': 1 },
      unrated: ['mitata > a: Infinity ops/s', 'mitata > c: -1000000000 ops/s', 'mitata > d: Infinity ops/s'],
    });
  });

  it('can be indented, and is known by its start', () => {
    const indented = JSON.stringify(JSON.parse(times(['a', 1])), null, 2);
    expect([times(), indented, '{"type":"session","format":4}', '[]', ''].map(isToolReport)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
    expect(read(indented).rates).toEqual({ 'mitata > a': 1e9 });
  });

  it.each([
    ['that is cut off', times(['a', 1]).slice(0, -1), ['JSON']],
    ['whose last lines are missing', toolReport('node-bench.jsonl').replace(/.*\n$/, ''), ['bench:summary']],
    ['whose line is cut off', toolReport('node-bench.jsonl').slice(0, 100), [':1: ']],
    ['with a text for a number', times(['a', '1']), ['benchmarks.0.runs.0.stats.avg']],
    ['with a number that is none', times(['a', Number.NaN]), ['benchmarks.0.runs.0.stats.avg']],
    ['with too large a number', times(['a', 1]).replace('"avg":1', '"avg":1e999'), ['stats.avg']],
    ['without benchmarks', times(), ['mitata']],
    ['with two benchmarks of one name', times(['a', 1], ['a', 2]), ['mitata > a']],
    ['of no tool', '{"a":1}', ['node:bench, vitest, mitata']],
    ['with deep nesting', `{"layout":${'['.repeat(1e5)}`, []],
  ])('%s is refused', (_, text, values) => {
    expect(() => readToolReport(text, 'a.json')).toThrow(errorWith('TOOL_REPORT', 'a.json', ...values));
  });
});
