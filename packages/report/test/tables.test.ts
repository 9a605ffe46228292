import { csvResults, readCompareCsv, readScatterCsv, type Sample, type SamplePair } from '@bench-cli/results';
import {
  type ComparisonList,
  compareFixed,
  compareMetrics,
  compareSequentially,
  judgeResults,
  scatterTable,
} from '@bench-cli/stats';
import type { ScatterTable } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fixture } from '../../../test/support/fixture.ts';
import { oldAndNew, pairOf, runsOfPairs } from '../../../test/support/pairs.ts';
import { empty, run } from '../../../test/support/recording.ts';
import { renderComparison } from '../src/comparison-text.ts';
import { changeRange, metricText, rateText, ratioChange, timesRange } from '../src/figure-text.ts';
import { renderChanges } from '../src/table/change-table.ts';
import { renderCompareMarkdown } from '../src/table/compare-markdown.ts';
import { renderCompareTable } from '../src/table/compare-table.ts';
import { metricLines, renderMetricComparison } from '../src/table/metric-table.ts';
import { renderRatesTable } from '../src/table/rates-table.ts';
import { renderScatter, renderScatterTable } from '../src/table/scatter-table.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3];
const around = (mean: number) => SPREAD.map((offset) => mean + offset);

const sampleOf = (configuration: Sample['configuration'], ...rates: number[]): Sample => ({
  benchmark: 'a.js',
  configuration,
  rates,
});

it('a comparison is not rendered in an unknown format', () => {
  const view: object = { format: 'json' };
  expect(() => renderComparison(nothing, { format: 'table', ...view })).toThrow(
    errorWith('OPTION', 'json', 'rates'),
  );
});

describe('the tables of metrics', () => {
  const metric = { name: 'p99', title: 'a latency', unit: 'ns', better: 'less', negligible: 0 } as const;
  const pairs = [pairOf('a.js', 'n=1', around(1000), around(2000)), pairOf('a.js', 'n=2', [1], [1])];
  const p50 = { ...metric, name: 'p50' };

  it('call a longer latency more', () => {
    const tables = compareMetrics([{ metric, pairs }]).map((each) => renderMetricComparison(each, 80));
    expect(tables).toEqual([expect.stringMatching(/^a latency \(p99\)\n.*\na.js\n +n=1 .* more *\n/)]);
    expect(tables.join()).not.toContain('faster');
  });

  it('have a guarantee of their own, for all of them together', () => {
    const all = [metric, p50].map((each) => ({ metric: each, pairs }));
    const [, guarantee] = metricLines(compareMetrics(all));
    expect(guarantee).toMatch(/^Metrics: .* 4 comparisons, at most 5 in 100 .*not include the rates\.$/);
    expect(metricLines(compareMetrics([{ metric, pairs: pairs.slice(1) }]))).toHaveLength(1);
    expect(metricLines([])).toEqual([]);
  });

  it('say which amount is too little to be a difference', () => {
    const list = compareMetrics([{ metric: { ...metric, unit: 'B', negligible: 1 }, pairs }]);
    expect(metricLines(list)[1]).toMatch(/less than 1 B of p99\.$/);
  });
});

const lengths = [1, 1000].map((aLongNameOfAParameter) => {
  const configuration = {
    aLongNameOfAParameter,
    otherParameter: 'x'.repeat(aLongNameOfAParameter === 1 ? 1 : 3),
  };
  return { ...pairOf('a.js', `${aLongNameOfAParameter}`, around(1000), around(2000)), configuration };
});

it('the tables of a terminal name the parameters once if the lines were too long', () => {
  const table = renderRatesTable(compareFixed(lengths), 80);
  expect(table).toMatch(
    /^ .*\na\.js \(aLongNameOfAParameter, otherParameter\)\n {2}1 x .*\n {2}1000 xxx .*\n$/,
  );
  expect(renderRatesTable(compareFixed(lengths), 120)).toContain('aLongNameOfAParameter=1000 otherP');
});

describe('renderCompareTable', () => {
  it.each(['compare-querystring', 'compare-path', 'compare-edge'])(
    'is what compare.R prints: %s',
    async (name) => {
      const { pairs } = await readCompareCsv(fixture(`${name}.csv`));
      const list = compareFixed(pairs);
      expect(renderCompareTable(list)).toBe(fixture(`${name}.txt`));
      expect(renderCompareTable(list, { width: 80 })).toMatch(/^\S.*….*%$/m);
    },
  );

  it('rounds ties to even, like C', () => {
    const improvements = [3204, 3212, 3196].map((rate) => {
      const list = compareFixed([pairOf('a.js', '', [3200], [rate])]);
      return renderCompareTable(list).match(/\S+ %/)?.[0];
    });
    expect(improvements).toEqual(['0.12 %', '0.38 %', '-0.12 %']);
  });
});

const nothing = judgeResults(csvResults({ subjects: ['old', 'new'], pairs: [] }));
const markdownOf = (list: ComparisonList) => renderCompareMarkdown({ ...nothing, list });

describe('renderCompareMarkdown', () => {
  it('begins with what failed, at most ten of them', () => {
    const list = compareFixed([pair('n=1', [1, 2], [1, 2])]);
    const failed = (message: string) => ({ kind: 'exit', message, output: '' }) as const;
    const runs = Array.from({ length: 11 }, (_, n) => ({
      ...{ ...run, benchmark: 'a.js', configuration: { n }, subject: 'old' },
      ...{ status: 'failed' as const, failure: failed(`exited | <b> ${n % 10}`) },
    }));
    const failures = [
      { type: 'failure', benchmark: 'b.js', phase: 'plan', subject: 'old', failure: failed('no `call`') },
    ] as const;
    const recordings = [{ ...empty, runs, failures }];
    const lines = renderCompareMarkdown({ ...nothing, list, recordings }).split('\n');
    expect(lines.slice(1, 6)).toEqual([
      expect.stringMatching(/^<summary>1 benchmark .*11 runs/),
      '',
      '- `b.js (old, plan)`: `` no `call` ``',
      '- `a.js n=0 (old); a.js n=10 (old)`: `exited \\| <b> 0 (2 times)`',
      '- `a.js n=1 (old)`: `exited \\| <b> 1`',
    ]);
    expect(lines[13]).toMatch(/^- .* 1 /);
    expect(markdownOf(list)).not.toContain('a.js n=');
  });

  const pair = (text: string, old: readonly number[], new_: readonly number[]) =>
    pairOf('a.js', text, old, new_);

  it('puts losses first, the largest at the top', () => {
    const pairs = [90, 60, 120].map((mean, at) => pair(`n=${at + 1}`, around(100), around(mean)));
    const shown = markdownOf(compareFixed(pairs)).match(/\d (?:slower|faster)|`n=\d`/g);
    expect(shown).toEqual(['2 slower', '`n=2`', '`n=1`', '1 faster', '`n=3`']);
  });

  it('fits into a comment on GitHub', () => {
    const pairs = Array.from({ length: 3000 }, (_, n) => pair(`n=${n}`, around(100), around(90)));
    const markdown = markdownOf(compareFixed(pairs));
    expect(markdown.length, 'GitHub takes no longer comment').toBeLessThan(65_536);
    const rows = markdown.match(/^\| `a/gm)?.length ?? 0;
    expect(markdown).toMatch(new RegExp(`^${3000 - rows} `, 'm'));
  });
});

describe('tables of adaptive runs', () => {
  const judge = (compared: readonly SamplePair[]) =>
    compareSequentially({ runs: runsOfPairs(compared), subjects: oldAndNew, options: {} }, compared);

  it('say why the verdict is withheld', () => {
    const constant = Array.from({ length: 9 }, () => 50);
    const withheld = judge([pairOf('a', '', constant, constant)]);
    expect(withheld.comparisons[0]?.reason).toBe('constant-rates');
    expect(renderCompareTable(withheld)).toMatch(/undecided .*the rates never vary/);
  });

  it.each([
    [0.926, 0.99975, '0.926 to 0.9998', '-7.4 % to -0.02 %'],
    [1.0002, 1.2, '1.0002 to 1.200', '+0.02 % to +20.0 %'],
    [0.9, 1, '0.900 to 1.000', '-10.0 % to 0.0 %'],
    [0.95, 1.04, '0.950 to 1.040', '-5.0 % to +4.0 %'],
  ])('does not round the end of an interval to no difference: %d to %d', (low, high, times, changes) => {
    expect([timesRange({ low, high }), changeRange({ low, high })]).toEqual([times, changes]);
  });

  it.each([
    [12_100, 'B', '12.1 kB'],
    [999_600_000, 'B', '1.00 GB'],
    [2e12, 'ns', '2000 s'],
    [1.5e13, 'B', '15000 GB'],
  ])('show an amount of %d %s without an exponent', (value, unit, text) => {
    expect(metricText(value, unit)).toBe(text);
  });

  it('show no interval that says nothing', () => {
    expect(changeRange({ low: 0.4, high: 1e9 })).toBe('unknown');
    expect(changeRange({ low: 2, high: 1e9 })).toBe('+100.0 % to 1,000,000,000 times');
    const texts = ['+1000.0 %', '11 times', '147 times', '14,700 times'];
    expect([11, 11.04, 147.3, 14_730].map(ratioChange)).toEqual(texts);
  });
});

it.each([
  [4_716_792, '4.72 M'],
  [999_999, '1.00 M'],
  [2_120_000, '2.12 M'],
  [200, '200'],
  [999.4, '999'],
  [12.54, '12.5'],
  [0, '0'],
  [3e60, '3.00e+60'],
  [3e-60, '3.00e-60'],
])('rates %d is %s', (rate, text) => {
  expect(rateText(rate)).toBe(text);
});

function tableOf(
  xaxis: string,
  cells: readonly Pick<ScatterTable['cells'][number], 'x' | 'category' | 'halfWidth'>[],
): ScatterTable {
  const others = { n: 2, mean: 1, median: 1, medianInterval: null, isSkewed: false, step: null };
  return { xaxis, category: 'm', aggregated: [], cells: cells.map((cell) => ({ ...others, ...cell })) };
}

describe('renderScatterTable', () => {
  it.each([
    ['scatter-one-inlen', 'chunkLen', 'encoding'],
    ['scatter-string-decoder', 'chunkLen', 'encoding'],
    ['scatter-edge', 'size', 'kind'],
  ])('is what scatter.R prints: %s', async (name, xaxis, category) => {
    const { samples } = await readScatterCsv(fixture(`${name}.csv`));
    expect(renderScatterTable(scatterTable(samples, xaxis, category))).toBe(fixture(`${name}.txt`));
  });

  it('prints columns of numbers like R', () => {
    const columns: readonly { values: (number | null)[]; printed: string[] }[] = JSON.parse(
      fixture('number-columns.json'),
    );
    for (const { values, printed } of columns) {
      const cells = values.map((halfWidth, x) => ({ x, category: 'c', halfWidth }));
      const table = renderScatterTable(tableOf('x', cells));
      const column = table
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ +/).at(-1));
      expect(column, String(values)).toEqual(printed);
    }
  });

  it('prints numbers on the axis that are too large for integers of R like R', () => {
    const cells = [3e9, 4.5e9].map((x) => ({ x, category: 'c', halfWidth: 1 }));
    const table = renderScatterTable(tableOf('n', cells));
    expect(table.match(/\de\+09|\d\.\de\+09/g)).toEqual(['3.0e+09', '4.5e+09']);
  });

  it('prints whole numbers on the axis with all their digits', () => {
    const cells = [{ x: 100_000, category: 1e6, halfWidth: 1 }];
    const table = renderScatterTable(tableOf('n', cells));
    expect(table).toBe(
      '      n       m rate confidence.interval\n 100000 1000000    1                   1\n',
    );
  });
});

describe('renderScatter', () => {
  const around = (mean: number) => [-3, -2, -1, 1, 2, 3].map((offset) => mean + offset);

  it('says how much of the variance the aggregated parameters explain, and that runs do not remove it', () => {
    const samples = [1, 2].flatMap((n) =>
      [1, 2].flatMap((k) => [0, 1].map((small) => sampleOf({ n, k, small }, ...around(100 * k + 2 * small)))),
    );
    expect(renderScatter(scatterTable(samples, 'n', undefined))).toMatch(
      /: k > 99 %, small 0 %\n.*--runs .* k: .*--where k=\.\.\..*--group-by k\.\n\n/,
    );
    const small = samples.filter(({ configuration }) => configuration['k'] === 1);
    expect(renderScatter(scatterTable(small, 'n', undefined))).not.toContain('--runs');
  });

  /** The rows of medians and changes. */
  const steps = (...samples: readonly Sample[]) =>
    renderScatter(scatterTable(samples, 'n', samples[0]?.configuration['kind'] ? 'kind' : undefined))
      .split('\n\n')[1]
      ?.split('\n') ?? [];

  it('shows medians and the changes of each category', () => {
    const samples = [1, 2, 8].flatMap((n) =>
      ['a', 'b'].map((kind) => sampleOf({ n, kind }, ...around(kind === 'a' ? 100 * n : 100))),
    );
    expect(steps(...samples).slice(0, 7)).toEqual([
      "kind  n  runs  median  95 % interval    change  exponent       p      Cliff's delta",
      'a     1     6     100  97.0 to 103',
      'a     2     6     200  197 to 203     +100.0 %      1.00  0.0022       1.00 (large)',
      'a     8     6     800  797 to 803     +300.0 %      1.00  0.0022       1.00 (large)',
      'b     1     6     100  97.0 to 103',
      'b     2     6     100  97.0 to 103       0.0 %      0.00     1.0  0.00 (negligible)',
      'b     8     6     100  97.0 to 103       0.0 %      0.00     1.0  0.00 (negligible)',
    ]);
  });

  it.each([
    ['few runs', [sampleOf({ n: 1 }, 1, 2, 3), sampleOf({ n: 2 }, 4, 5, 6)], /^.* 0\.10: .*--runs/m],
    ['skewed rates', [sampleOf({ n: 1 }, 200, 200, 200, 200, 201, 1000)], / \(!\)\n[\s\S]*^\(!\) /m],
  ])('marks %s', (_, samples, note) => {
    expect(steps(...samples).join('\n')).toMatch(note);
    const [header, ...rows] = steps(sampleOf({ n: 1 }, ...around(100)), sampleOf({ n: 2 }, ...around(200)));
    expect([header, ...rows].join('\n')).not.toMatch(note);
  });

  it('shows no columns of changes and of exponents where there are none', () => {
    expect(steps(sampleOf({ n: 1 }, 4, 5))[0]).toMatch(/interval$/);
    expect(steps(sampleOf({ n: 'a' }, 4, 5), sampleOf({ n: 'b' }, 4, 5))[0]).toMatch(
      /change +p +Cliff's delta$/,
    );
  });
});

const row = {
  ...{
    date: '2026-03-02',
    commit: '4f1c2aa0b9d8e7f6',
    name: `g/a.ts ${'long-'.repeat(20)}`,
    measure: 'rate',
  },
  ...{ machine: 'EPYC', before: 12e6, after: 10.8e6, p: 1e-9 },
};

it('renderChanges fit the terminal, below the commits that made them', () => {
  const rows = [row, { ...row, name: 'g/b.ts' }, { ...row, commit: 'v1.0', name: 'g/b.ts' }];
  const lines = renderChanges(rows, 80).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(lines.map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
    'before',
    '4f1c2aa0b9, 2026-03-02: rate, EPYC',
    expect.stringMatching(/^g\/a\.ts .*….*long-$/),
    'g/b.ts',
    'v1.0, 2026-03-02: rate, EPYC',
    'g/b.ts',
    '',
  ]);
  expect(lines[3]).toMatch(/12\.00 M +10\.80 M +-10\.00 % +1\.0e-9$/);
});
