import { samplePairs } from '@bench-cli/results';
import { compareFixed, compareSequentially } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf, runsOfPairs } from '../../../test/support/pairs.ts';
import { rateRange } from '../src/figure-text.ts';
import { methodLines, renderRatesTable } from '../src/index.ts';
import { shortMethodLines } from '../src/method-text.ts';
import { subjectLegend } from '../src/table/rates-table.ts';

const around = (mean: number) => [-2, -1, 0, 1, 2].map((it) => mean * (1 + it / 1000));
const list = compareFixed([
  pairOf('g/a.js', "n=5 type='x'", around(385_700), around(412_000)),
  pairOf('g/a.js', "n=5 type='y'", around(12.5), around(12.5)),
  pairOf('g/long.js', `text='${'very'.repeat(30)} long'`, around(2e6), around(1e6)),
  pairOf('g/long.js', "text='short'", around(100), []),
]);

const lines = (width: number) => renderRatesTable(list, width).trimEnd().split('\n');

it.each([
  [385_700, 402_100, '385.7 to 402.1 k'],
  [980_100, 1.02e6, '980.1 k to 1.020 M'],
  [608.3, 1252, '0.6083 to 1.252 k'],
  [12.5, 13, '12.50 to 13.00'],
  [0, 1252, '0 to 1.252 k'],
])(
  'the rates from %d to %d have no end that could be read in the unit of the other one: %s',
  (low, high, text) => {
    expect(rateRange({ low, high })).toBe(text);
  },
);

describe('the table of rates', () => {
  it('says why a ratio contradicts the rates of its row: other subjects have other rounds', () => {
    const runs = ['a', 'b', 'c'].flatMap((subject, at) =>
      Array.from({ length: 24 - 12 * Math.min(1, at) }, (_, round) => ({
        ...{ benchmark: 'a.js', configuration: {}, subject, round },
        values: { rate: (round < 12 ? 100 : 60) * (1 + at / 10) * (1 + ((round * 7) % 5) / 1000) },
      })),
    );
    const subjects = ['a', 'b', 'c'];
    const judged = compareSequentially(
      { runs, subjects, options: {}, cases: 1 },
      samplePairs(runs, subjects),
    );
    expect(shortMethodLines(judged)).toEqual([
      expect.stringMatching(/^Method: /),
      expect.stringMatching(/^A ratio is that of the rounds/),
    ]);
    expect(shortMethodLines(list)).toHaveLength(1);
  });

  it.each([60, 70, 80, 100])('fits %i columns, with names shortened in the middle', (width) => {
    for (const line of lines(width)) expect(line.length).toBeLessThanOrEqual(width);
    expect(renderRatesTable(list, width)).toMatch(/ {2}'ve.*….*ong' {2}/);
    expect(renderRatesTable(list, width)).toMatch(/\ng\/long\.js \(text\)\n/);
  });

  it('has one heading for tasks without parameters, but none for a command', () => {
    const names = ['g/a.bench.js > parse > long', 'g/a.bench.js > parse > short', "sh -c 'a.js > b'"];
    const tasks = compareFixed(names.map((name) => pairOf(name, '', around(100), around(200))));
    const rows = renderRatesTable(tasks, 80).trimEnd().split('\n').slice(1);
    const labels = rows.map((row) => row.split(/(?<=\S) {2,}/)[0]);
    expect(labels).toEqual(['g/a.bench.js > parse', '  long', '  short', names[2]]);
  });

  it.each([
    [60, /^ +ratio +interval +verdict\n.*\nFor all columns: /s],
    [70, /^ +new +ratio +interval +verdict\n.*\nFor all columns: /s],
    [80, /^ +old +new +ratio +interval +verdict\n(?!.*For all columns)/s],
    [220, /^ +old +new +ratio +interval +verdict +runs\n/],
  ])('leaves out the runs and then the rates in %i columns, and never the interval', (width, expected) => {
    expect(renderRatesTable(list, width)).toMatch(expected);
  });

  it('names two subjects that are not old and new', () => {
    const pair = { ...pairOf('a.js', 'n=1', around(1), around(2)), baseline: 'undici', subject: 'fetch' };
    expect(renderRatesTable(compareFixed([pair]), 80)).toMatch(/^ +undici +fetch +ratio/);
  });

  it('shows the interval of three subjects in 80 columns, with the values of parameters as names', () => {
    const configurations = [16, 256].map((size) => `method='concat${size}' size=${size}`);
    const table = renderRatesTable(several(configurations, ['HEAD~4 (f8f471c)', 'HEAD', 'main']), 80);
    expect(table).toMatch(/^ .* rate +ratio +interval +verdict\ng(.*\n)+For all columns/);
  });

  const several = (
    configurations: readonly string[],
    [baseline = '', ...others]: readonly string[] = ['a', 'b', 'c'],
  ) =>
    compareFixed(
      configurations.flatMap((configuration) =>
        others.map((subject, at) => ({
          ...pairOf('g/a.js', configuration, around(100), around(200 + at * 100)),
          baseline,
          subject,
        })),
      ),
    );

  it.each([
    [
      'letters of long names',
      ['Node.js 26.10.0', 'Node.js 26.10.0 --no-opt', 'c'],
      'BC',
      {},
      'A: Node.js 26.10.0; B: Node.js 26.10.0 --no-opt; C: c',
    ],
    ['what short names stand for', ['a', 'b', 'c'], 'bc', { b: 'Bun 1.4.5', c: 'c' }, 'b: Bun 1.4.5'],
    ['nothing if sentences have the same names', ['a', 'b', 'c'], 'bc', {}, ''],
  ])('is followed by %s', (_, names, shown, titles, legend) => {
    const list = several(["type='x'", "type='y'"], names);
    const rows = renderRatesTable(list, 80).trimEnd().split('\n').slice(2);
    expect(rows.map((row) => row.trim().split(/ {2,}/)[1]).join('')).toBe(shown + shown);
    const own = names.map((name) => [name, name] as const);
    expect(subjectLegend(list, new Map([...own, ...Object.entries(titles)]))).toBe(legend);
  });

  it('has the subjects as lines if there is only one configuration, which is above them', () => {
    const list = several(["type='x'"]);
    const [title, heading, ...rows] = renderRatesTable(list, 80).trimEnd().split('\n');
    expect(title?.trim().split(/ {2,}/)).toEqual(['a', 'rate', 'ratio', 'interval', 'verdict', 'runs']);
    expect(heading).toBe('g/a.js type=x');
    const shown = rows.map((row) => row.trim().split(/ {2,}/).slice(0, 4).join(' '));
    expect(shown).toEqual(['b 100.0 200.0 2.000', 'c 100.0 300.0 3.000']);
  });

  it('shows the geometric means of all adaptive runs, beside the ratio of the pairs', () => {
    // The new subject ends after nine runs.
    const rates = [300, 250, 350, 300, 250, 350, 300, 250, 350];
    const pairs = [pairOf('g/a.js', 'n=1', [100, 110, 90, 100, 110, 90, 100, 110, 90, 400, 500], rates)];
    const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {} };
    const adaptive = compareSequentially(session, pairs);
    const row = renderRatesTable(adaptive, 80).trimEnd().split('\n').at(-1) ?? '';
    const [, old, new_, ratio] = row.trim().split(/ {2,}/).map(Number);
    expect([old, new_]).toEqual([expect.closeTo(130.9, 1), expect.closeTo(297.2, 1)]);
    expect(ratio).toBeCloseTo(297.2 / 99.67, 2);
    expect(methodLines(adaptive)[0]).toContain('geometric means of the runs');
  });

  it('breaks a long heading between its parameters', () => {
    const list = several(["first='a-long-value' second='another-long-value' third=3"]);
    const headings = renderRatesTable(list, 50).split('\n').slice(1, 3);
    expect(headings).toEqual(['g/a.js first=a-long-value', '    second=another-long-value third=3']);
  });

  it('decorates the cells of comparisons', () => {
    const painted = renderRatesTable(list, 80, (text, { verdict }, { isName }) =>
      isName || verdict !== 'lower' ? text : text.replace('slower', 'SLOWER'),
    );
    expect(painted.match(/SLOWER/g)).toHaveLength(1);
  });
});
