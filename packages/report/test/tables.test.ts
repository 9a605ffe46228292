import { readCompareCsv, readScatterCsv } from '@bench-cli/results';
import {
  compareAll,
  compareInDetail,
  detailColumn,
  fitComplexity,
  groupComparisons,
  rateText,
  renderCompareMarkdown,
  renderCompareTable,
  renderComplexityTable,
  renderGroupTable,
  renderScatterTable,
  scatterTable,
} from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { fixture, numberColumns } from '../../stats/test/fixture.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3];
const around = (mean: number) => SPREAD.map((offset) => mean + offset);

describe('renderCompareTable', () => {
  it.each(['compare-querystring', 'compare-path', 'compare-edge'])(
    'is what compare.R prints: %s',
    async (name) => {
      const { pairs } = await readCompareCsv(fixture(`${name}.csv`));
      expect(renderCompareTable(compareAll(pairs))).toBe(fixture(`${name}.txt`));
    },
  );

  it('prints NA for what there is none of', () => {
    const list = compareAll([{ benchmark: 'a.js', configuration: 'n=1', old: [], new: [1, 2] }]);
    expect(renderCompareTable(list).split('\n')[1]).toBe(
      'a.js n=1         NA          NA           NA   NA    NA',
    );
  });

  it('rounds ties to even, as C does', () => {
    const improvements = [3204, 3212, 3196].map((rate) => {
      const list = compareAll([{ benchmark: 'a.js', configuration: '', old: [3200], new: [rate] }]);
      return renderCompareTable(list).match(/\S+ %/)?.[0];
    });
    expect(improvements).toEqual(['0.12 %', '0.38 %', '-0.12 %']);
  });

  it('gives each padded cell to the painter, and changes nothing else', async () => {
    const { pairs } = await readCompareCsv(fixture('compare-querystring.csv'));
    const list = compareAll(pairs);
    const painted = renderCompareTable(list, {
      paint: (text, { column, comparison }) =>
        column === 'improvement' && comparison?.verdict === 'faster' ? `<${text}>` : text,
    });
    expect(painted.replace(/[<>]/g, '')).toBe(renderCompareTable(list));
    expect(painted.match(/<.*?>/g)).toEqual([
      '<    16.05 %>',
      '<     6.49 %>',
      '<    19.67 %>',
      '<     4.41 %>',
      '<     4.34 %>',
      '<     9.43 %>',
    ]);
  });
});

describe('renderCompareMarkdown', () => {
  const pair = (configuration: string, old: readonly number[], new_: readonly number[]) => ({
    benchmark: 'a.js',
    configuration,
    old,
    new: new_,
  });

  it('puts losses first, the largest on top, and folds the rest', () => {
    const markdown = renderCompareMarkdown(
      compareAll([
        pair('n=1', around(100), around(90)),
        pair('n=2', around(100), around(60)),
        pair('n=3', around(100), around(120)),
        pair('n=4', around(1000), around(999)),
        pair('n=5', [1], [2]),
      ]),
    );
    const header =
      '| Benchmark | Configuration | Improvement | Accuracy | Confidence |\n| --- | --- | ---: | ---: | ---: |\n';
    expect(markdown).toBe(
      [
        `### 2 slower\n\n${header}`,
        '| `a.js` | `n=2` | -40.00 % | ±2.52 % | \\*\\*\\* |\n',
        '| `a.js` | `n=1` | -10.00 % | ±2.52 % | \\*\\*\\* |\n',
        `\n<details>\n<summary>1 faster</summary>\n\n${header}`,
        '| `a.js` | `n=3` | +20.00 % | ±2.52 % | \\*\\*\\* |\n\n</details>\n',
        `\n<details>\n<summary>1 undecided</summary>\n\n${header}`,
        '| `a.js` | `n=5` | +100.00 % | NA | NA |\n\n</details>\n',
        `\n<details>\n<summary>1 without difference</summary>\n\n${header}`,
        '| `a.js` | `n=4` | -0.10 % | ±0.25 % |  |\n\n</details>\n',
      ].join(''),
    );
  });

  it('is a table of GitHub, whatever the configurations hold', () => {
    const rowOf = (configuration: string) =>
      renderCompareMarkdown(compareAll([pair(configuration, [1], [2])]))
        .split('\n')
        .at(5);
    expect(rowOf("s='a|b'")).toBe("| `a.js` | `s='a\\|b'` | +100.00 % | NA | NA |");
    expect(rowOf('s=`x`')).toBe('| `a.js` | `` s=`x` `` | +100.00 % | NA | NA |');
    expect(rowOf('')).toBe('| `a.js` |  | +100.00 % | NA | NA |');
  });

  it('fits into a comment on GitHub', () => {
    const pairs = Array.from({ length: 3000 }, (_, n) => pair(`n=${n}`, around(100), around(90)));
    const markdown = renderCompareMarkdown(compareAll(pairs));
    expect(markdown.length).toBeLessThan(65_536);
    const rows = markdown.match(/^\| `a/gm)?.length ?? 0;
    expect(markdown).toContain(`\n${3000 - rows} more left out, for the length of the comment.\n`);
  });
});

describe('columns on request', () => {
  const list = compareInDetail([
    { benchmark: 'a.js', configuration: 'n=1', old: around(100), new: around(90) },
    { benchmark: 'a.js', configuration: 'n=2', old: around(100), new: around(150) },
    { benchmark: 'b.js', configuration: '', old: [1], new: [] },
  ]);

  it.each([
    ['runs', ['7+7', '7+7', '1+0']],
    ['ratio', ['0.900 [0.876, 0.924]', '1.500 [1.468, 1.533]', 'NA']],
    ['effect', ['-4.33', '21.67', 'NA']],
    ['rank', ['5.8e-4', '5.8e-4', 'NA']],
    ['adjusted', ['1.7e-6', '3.0e-14', 'NA']],
    ['chart', ['         ├● │            ', '            │          ├→', '            │            ']],
  ] as const)('%s', (column, cells) => {
    expect([...detailColumn(column, list.comparisons).cells]).toEqual(cells);
  });

  it('stand to the right of those of compare.R', () => {
    const plain = renderCompareTable(list).split('\n');
    const extra = { key: 'runs' as const, ...detailColumn('runs', list.comparisons) };
    const wide = renderCompareTable(list, { extra: [extra] }).split('\n');
    expect(wide.slice(0, 4)).toEqual(
      ['runs', ' 7+7', ' 7+7', ' 1+0'].map((cell, row) => `${plain[row]} ${cell.padStart(4)}`),
    );
  });
});

describe('renderComplexityTable', () => {
  it('tells the growth, how sure it is, and for which category there is none', () => {
    const fits = [
      {
        category: 'x',
        complexity: fitComplexity([10, 100, 1000, 10000].map((n) => ({ n, seconds: 1e-6 + 1e-9 * n }))),
      },
      { category: 'y', complexity: fitComplexity([{ n: 1, seconds: 1 }]) },
    ];
    expect(renderComplexityTable('len', 'kind', fits)).toBe(
      [
        'kind  time grows like  probability                next  misses by  len^k, k (95 %)  values\n',
        'x                 len         1.00  len log len (0.00)      0.0 %      0.34 ± 0.48       4\n',
        'no complexity for y: a complexity needs at least 4 values above 0, and there is 1\n',
      ].join(''),
    );
  });
});

it('a time that falls is not called constant', () => {
  const points = [1, 2, 4, 8].map((n) => ({ n, seconds: 1 / n }));
  const table = renderComplexityTable('len', 'kind', [{ category: 'x', complexity: fitComplexity(points) }]);
  expect(table.split('\n')[1]).toMatch(/^x +does not grow +\d+\.\d % +-1\.00 ± 0\.00 +4$/);
});

describe('renderGroupTable', () => {
  it('counts verdicts', () => {
    const { comparisons } = compareInDetail([
      { benchmark: 'a.js', configuration: 'n=1', old: around(100), new: around(90) },
      { benchmark: 'a.js', configuration: 'n=2', old: [1], new: [2] },
    ]);
    const [header, first, second] = renderGroupTable(groupComparisons(comparisons, ['n'])).split('\n');
    expect(header).toBe(
      'n  comparisons  slower  faster  no difference  undecided  geometric mean of ratios (95 %)',
    );
    expect(first?.split(/ {2,}/)).toEqual(['1', '1', '1', '0', '0', '0', '0.900 [0.876, 0.924]']);
    expect(second?.split(/ {2,}/)).toEqual(['2', '1', '0', '0', '0', '1', 'NA']);
  });
});

describe('rates', () => {
  it.each([
    [4_716_792, '4.72M'],
    [999_999, '1M'],
    [999.4, '999'],
    [12.54, '12.5'],
    [0, '0'],
    [3e60, '3.00e+60'],
    [3e-60, '3.00e-60'],
  ])('%d is %s', (rate, text) => {
    expect(rateText(rate)).toBe(text);
  });
});

describe('renderScatterTable', () => {
  it.each([
    ['scatter-one-inlen', 'chunkLen', 'encoding'],
    ['scatter-string-decoder', 'chunkLen', 'encoding'],
    ['scatter-edge', 'size', 'kind'],
  ])('is what scatter.R prints: %s', async (name, xaxis, category) => {
    const { samples } = await readScatterCsv(fixture(`${name}.csv`));
    expect(renderScatterTable(scatterTable(samples, xaxis, category))).toBe(fixture(`${name}.txt`));
  });

  it('prints columns of numbers as R does', () => {
    for (const { values, printed } of numberColumns()) {
      const cells = values.map((halfWidth, x) => ({ x, category: 'c', n: 2, mean: 1, halfWidth }));
      const table = renderScatterTable({ xaxis: 'x', category: 'category', aggregated: [], cells });
      const column = table
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ +/).at(-1));
      expect(column, String(values)).toEqual(printed);
    }
  });

  it('prints numbers on the axis that R does not take for integers as R does', () => {
    const cells = [3e9, 4.5e9].map((x) => ({ x, category: 'c', n: 2, mean: 1, halfWidth: 1 }));
    const table = renderScatterTable({ xaxis: 'n', category: 'm', aggregated: [], cells });
    expect(table.match(/\de\+09|\d\.\de\+09/g)).toEqual(['3.0e+09', '4.5e+09']);
  });

  it('prints whole numbers on the axis with all their digits', () => {
    const cells = [{ x: 100_000, category: 1e6, n: 2, mean: 1, halfWidth: 1 }];
    const table = renderScatterTable({ xaxis: 'n', category: 'm', aggregated: [], cells });
    expect(table).toBe(
      '      n       m rate confidence.interval\n 100000 1000000    1                   1\n',
    );
  });
});
