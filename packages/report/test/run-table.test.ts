import type { CaseSample, Configuration } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { exportedRows, rateGroups, ratesDocument, renderRunMarkdown, renderRunTable } from '../src/index.ts';
import { renderRatesPage } from '../src/page/index.ts';
import { groupPlot } from '../src/plot/index.ts';

const spread = [0.99, 0.995, 1, 1.005, 1.01];
const sampleOf = (
  benchmark: string,
  configuration: Configuration,
  rates: readonly number[],
): CaseSample<null> => ({ benchmark, configuration, rates, first: null });
const around = (benchmark: string, configuration: Configuration, mean: number) =>
  sampleOf(
    benchmark,
    configuration,
    spread.map((factor) => mean * factor),
  );
const files = [{ name: 'g/a.ts', path: '/g/a.ts' }];
const groupsOf = (samples: readonly CaseSample<null>[], notes: Readonly<Record<string, string>> = {}) =>
  rateGroups(samples, { files, noteOf: ({ configuration }) => notes[String(configuration['method'])] ?? '' });
const tableOf = (
  samples: readonly CaseSample<null>[],
  width = 80,
  notes?: Readonly<Record<string, string>>,
) =>
  groupsOf(samples, notes)
    .map((group) => renderRunTable(group, width))
    .join('')
    .trimEnd()
    .split('\n');

describe('the table of run', () => {
  it('has the constant parameters once, the fastest first, and all pairs with their intervals', () => {
    const lines = tableOf([
      around('g/a.ts', { n: 5, method: 'slow' }, 12.5),
      around('g/a.ts', { n: 5, method: 'parse' }, 385_712),
      around('g/a.ts', { n: 5, method: 'split' }, 12.6),
    ]);
    expect(lines).toEqual([
      'g/a.ts n=5',
      '                  ops/s          runs',
      '  method=parse  385.7 k  ±0.8 %     5',
      '  method=split  12.60    ±0.8 %     5',
      '  method=slow   12.50    ±0.8 %     5',
      '  method=parse is',
      expect.stringMatching(/^ {4}30,600 times as fast as split \(.* to .*\)$/),
      expect.stringMatching(/^ {4}30,900 times as fast as slow \(.* to .*\)$/),
      '  method=split is',
      expect.stringMatching(/^ {4}not certainly faster than slow \(0\.9\d to 1\.0\d times as fast\)$/),
    ]);
  });

  it('shortens long names so that they stay different', () => {
    const [first, second] = ['a', 'b'].map((name) => `node build/${name}/with/a/long/directory/src/index.js`);
    const one = (method = '') => sampleOf('g/a.ts', { method }, [1]);
    const lines = tableOf([one(first), one(second)], 40).slice(2, 4);
    expect(new Set(lines).size).toBe(2);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });

  it('has no spread for single runs, and notes at the end', () => {
    const one = (method: string, rate: number) => sampleOf('g/a.ts', { n: 5, method }, [rate]);
    expect(tableOf([one('parse', 2), one('slow', 1)], 80, { parse: '(p50 1 ms)' })).toEqual([
      'g/a.ts n=5',
      '                  ops/s',
      '  method=parse  2.000    (p50 1 ms)',
      '  method=slow   1.000',
    ]);
  });

  it.each([48, 60, 80])('fits %i columns', (width) => {
    const long = `a${'very'.repeat(40)}long`;
    const samples = [long, 'b'].map((method) => around('g/a.ts', { method }, 1));
    const lines = tableOf(samples, width);
    for (const line of lines.slice(0, 4)) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).toMatch(/ {2}me.*….*ng +1\.000/);
  });

  it('ranks no numbers, which are sizes, and lists only the pairs with the fastest of many values', () => {
    expect(tableOf([around('g/a.ts', { len: 1 }, 100), around('g/a.ts', { len: 2 }, 200)])).toHaveLength(4);
    const many = Array.from({ length: 6 }, (_, at) => around('g/a.ts', { method: `m${at}` }, 100 + at));
    const [group] = groupsOf(many);
    expect(group?.rankings[0]?.pairs).toHaveLength(15);
    expect(tableOf(many)).toHaveLength(2 + 6 + 1 + 5);
    expect(tableOf(many).at(-1)?.trim()).toBe(
      'not certainly faster than m0 (1.05 times as fast; needs 6 runs)',
    );
  });
});

it('the values of a parameter of which the fastest changes with a size are ranked for each size', () => {
  const rates = { a: [100, 10], b: [50, 20] };
  const samples = Object.entries(rates).flatMap(([lib, ofSizes]) =>
    ofSizes.map((rate, at) => around('g/a.ts', { lib, size: at }, rate)),
  );
  expect(tableOf(samples).slice(-4)).toEqual([
    '  lib=a at size=0 is',
    expect.stringContaining('times as fast as b'),
    '  lib=b at size=1 is',
    expect.stringContaining('times as fast as a'),
  ]);
});

it('the tasks of a file are ranked within their suite, by their own names', () => {
  const task = (name: string, mean: number) => around(`g/a.ts > ${name}`, {}, mean);
  const samples = [task('sort > a', 100), task('sort > b', 165), task('copy > a', 2), task('alone', 1)];
  const groups = groupsOf(samples).map(({ benchmark, rows, rankings }) => [
    benchmark,
    rows.map(({ label }) => label),
    rankings[0]?.fastest,
  ]);
  expect(groups).toEqual([
    ['g/a.ts > sort', ['b', 'a'], 'b'],
    ['g/a.ts > copy > a', ['g/a.ts > copy > a'], undefined],
    ['g/a.ts > alone', ['g/a.ts > alone'], undefined],
  ]);
});

describe('the other forms of rates', () => {
  const groups = groupsOf([
    around('g/a.ts', { n: 5, package: '<b>|' }, 100),
    around('g/a.ts', { n: 5, package: 'c' }, 200),
  ]);

  it('in Markdown, with names that are no markup', () => {
    const text = renderRunMarkdown(groups, ['ops/s: mean\u200brate.', '']);
    expect(text).toContain('ops/s: `mean\\u200brate.`');
    expect(text).toContain('| `package=c` | 200.0 | ±0.8\u00a0% | 5 |');
    expect(text.replace(/`[^`]*`/g, '')).not.toContain('<b>');
    expect(text).toMatch(/^- .* 2\.00 times as fast as .* \(1\.9\d to 2\.0\d\)$/m);
  });

  it('as JSON, and for other services', () => {
    expect(ratesDocument(groups, [])).toMatchObject({
      benchmarks: [
        {
          benchmark: 'g/a.ts',
          rates: [
            { name: 'g/a.ts n=5 package=c', mean: 200, n: 5, interval: { high: expect.any(Number) } },
            {},
          ],
          rankings: [{ by: 'package', fastest: 'c', pairs: [{ faster: 'c', slower: '<b>|' }] }],
        },
      ],
    });
    expect(exportedRows(groups)).toMatchObject([{ name: 'g/a.ts n=5 package=c', mean: 200, n: 5 }, {}]);
  });

  it('on a page, with the figures of the table and a bar for each row', () => {
    const page = renderRatesPage({ title: 'equal', groups, legend: 'ops/s: mean rate.', recordings: [] });
    expect(page.match(/class="box /g)).toHaveLength(2);
    expect(page).toContain('200.0');
    expect(page).not.toContain('<b>|');
    expect(page.indexOf('package&#61;c')).toBeLessThan(page.indexOf('package&#61;&#60;b'));
  });

  it('as bars with intervals, in the order of the table', () => {
    const svg = groupPlot(groups);
    expect(svg).toContain('operations per second, with 95 % intervals (higher is better)');
    expect([svg.split('class="box ').length, svg.split('class="estimate ink"').length]).toEqual([3, 3]);
    expect(svg.indexOf('package&#61;c')).toBeLessThan(svg.indexOf('package&#61;&#60;b'));
  });

  it('as symbols on a logarithmic axis, if the rates span more than a decade', () => {
    const rows = [around('g/a.ts', { n: 5, m: 'a' }, 100), around('g/a.ts', { n: 5, m: 'b' }, 1e6)];
    const page = renderRatesPage({ title: '', groups: groupsOf(rows), legend: '', recordings: [] });
    const plot = groupPlot(groupsOf(rows));
    for (const picture of [page, plot]) {
      expect(picture).not.toContain('class="box ');
      expect(picture.split('href="#shape-1"')).toHaveLength(3);
    }
    const texts = (picture: string) =>
      picture.match(/class="tick middle">[^<]+/g)?.map((tick) => tick.slice(20));
    expect(texts(plot)).toEqual(['100', '1 k', '10 k', '100 k', '1 M']);
    // On a phone, every second one.
    expect(texts(page)).toEqual(['100', '10 k', '1 M']);
  });
});
