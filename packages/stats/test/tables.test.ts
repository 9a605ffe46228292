import { describe, expect, it } from 'vitest';
import {
  compareAll,
  readCompareCsv,
  readScatterCsv,
  renderCompareMarkdown,
  renderCompareTable,
  renderScatterTable,
  scatterTable,
} from '../src/index.ts';
import { fixture, numberColumns } from './fixture.ts';

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
  it('is a table of GitHub, whatever the configurations hold', () => {
    const list = compareAll([
      { benchmark: 'a.js', configuration: "s='a|b'", old: around(100), new: around(120) },
      { benchmark: 'a.js', configuration: 's=`x`', old: [1], new: [2] },
      { benchmark: 'a.js', configuration: '', old: around(1000), new: around(999) },
    ]);
    expect(renderCompareMarkdown(list)).toBe(
      [
        '| Benchmark | Configuration | Improvement | Accuracy | Confidence | Verdict |',
        '| --- | --- | ---: | ---: | ---: | --- |',
        '| `a.js` |  | -0.10 % | ±0.25 % |  | no difference |',
        "| `a.js` | `s='a\\|b'` | +20.00 % | ±2.52 % | \\*\\*\\* | **faster** |",
        '| `a.js` | `` s=`x` `` | +100.00 % | NA | NA | undecided |',
        '',
      ].join('\n'),
    );
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
