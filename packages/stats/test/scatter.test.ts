import { readScatterCsv, type Sample } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/support/fixture.ts';
import { scatterTable } from '../src/scatter.ts';
import { relativeError, scatterFigures, scatterShares } from './r-figures.ts';

const sample = (configuration: Sample['configuration'], ...rates: number[]): Sample => ({
  benchmark: 'a.js',
  configuration,
  rates,
});

describe('scatterTable', () => {
  it.each([
    ['scatter-one-inlen', []],
    ['scatter-string-decoder', ['inLen']],
  ])("has R's figures: %s", async (name, aggregated) => {
    const { samples } = await readScatterCsv(fixture(`${name}.csv`));
    const table = scatterTable(samples, 'chunkLen', 'encoding');
    const expected = scatterFigures(`${name}.json`);
    expect(table.aggregated.map(({ name }) => name)).toEqual(aggregated);
    expect(table.cells.map((it) => it.x)).toEqual(expected.map((it) => it.chunkLen));
    expect(table.cells.map((it) => it.category)).toEqual(expected.map((it) => it.encoding));
    for (const [row, figures] of expected.entries()) {
      const cell = table.cells[row];
      expect(cell?.n).toBe(figures.n);
      expect(relativeError(cell?.mean, figures.rate)).toBeLessThan(1e-9);
      expect(relativeError(cell?.halfWidth, figures.confidenceInterval)).toBeLessThan(1e-9);
    }
  });

  it('orders numbers by value and text by name', () => {
    const samples = [10, 9, 100].flatMap((n) => ['b', 'A', 'a'].map((kind) => sample({ n, kind }, 1, 2)));
    const { cells } = scatterTable(samples, 'n', 'kind');
    expect(cells.map((it) => `${it.x}${it.category}`).join(' ')).toBe('9a 9A 9b 10a 10A 10b 100a 100A 100b');
  });

  it('accepts rates one by one and in samples', () => {
    const together = scatterTable([sample({ n: 1, m: 1 }, 1, 2, 4)], 'n', 'm');
    expect(
      scatterTable(
        [1, 2, 4].map((rate) => sample({ n: 1, m: 1 }, rate)),
        'n',
        'm',
      ),
    ).toEqual(together);
  });

  it('gives no interval of one rate', () => {
    expect(scatterTable([sample({ n: 1, m: 1 }, 5)], 'n', 'm').cells).toEqual([
      { x: 1, category: 1, n: 1, mean: 5, halfWidth: null },
    ]);
  });

  it.each(scatterShares())("has R's share of the variance: $name", async ({ name, share }) => {
    const { samples } = await readScatterCsv(fixture(`${name}.csv`));
    const { aggregated } = scatterTable(samples, 'chunkLen', 'encoding');
    expect(aggregated).toEqual(share === null ? [] : [{ name: 'inLen', share: expect.closeTo(share, 9) }]);
  });

  it('explains nothing by a parameter without effect, however few runs there are', () => {
    const rates = [10, 12, 11, 11, 13, 9, 12, 10];
    const samples = rates.map((rate, at) => sample({ n: 1, m: 1, k: at >> 1 }, rate));
    expect(scatterTable(samples, 'n', 'm').aggregated).toEqual([{ name: 'k', share: 0 }]);
  });

  it('knows no share if no value of a parameter was measured twice, or if all rates are equal', () => {
    const once = [1, 5, 9].map((rate) => sample({ n: 1, m: 1, k: rate }, rate));
    expect(scatterTable(once, 'n', 'm').aggregated).toEqual([{ name: 'k', share: null }]);
    const equal = [1, 5].map((k) => sample({ n: 1, m: 1, k }, 7, 7));
    expect(scatterTable(equal, 'n', 'm').aggregated).toEqual([{ name: 'k', share: null }]);
  });

  it('needs no category', () => {
    const table = scatterTable([sample({ n: 1, m: 1 }, 1, 3), sample({ n: 2, m: 1 }, 4, 6)], 'n', undefined);
    expect(table.cells).toMatchObject([
      { x: 1, category: '', mean: 2 },
      { x: 2, category: '', mean: 5 },
    ]);
  });

  it('accepts more rates than a call can have arguments', () => {
    const rates = new Float64Array(300_000).fill(2);
    const samples = [{ benchmark: 'a.js', configuration: { n: 1, m: 1 }, rates }];
    expect(scatterTable(samples, 'n', 'm').cells[0]).toMatchObject({ n: 300_000, mean: 2, halfWidth: 0 });
  });

  it.each([
    [
      'an unknown parameter',
      [sample({ n: 1, m: 1 }, 1)],
      'k',
      'm',
      'UNKNOWN_PARAMETER',
      /"k" .*xaxis.* n, m/,
    ],
    ['an unknown category', [sample({ n: 1, m: 1 }, 1)], 'n', 'k', 'UNKNOWN_PARAMETER', /"k" .*category/],
    ['the same parameter twice', [sample({ n: 1, m: 1 }, 1)], 'n', 'n', 'SCATTER', /"n"/],
    [
      'two benchmarks',
      [sample({ n: 1, m: 1 }, 1), { ...sample({ n: 1, m: 1 }, 1), benchmark: 'b.js' }],
      'n',
      'm',
      'SCATTER',
      /2 \(a\.js, b\.js\)/,
    ],
    ['no samples', [], 'n', 'm', 'NO_RUN', /no samples/],
    [
      'samples without the parameter',
      [sample({ n: 1, m: 1 }, 1), sample({ n: 1 }, 1)],
      'n',
      'm',
      'SCATTER',
      /a\.js .*"m"/,
    ],
  ])('rejects %s', (_, samples, xaxis, category, code, message) => {
    expect(() => scatterTable(samples, xaxis, category)).toThrow(
      expect.objectContaining({ code: `ERR_BENCH_${code}`, message: expect.stringMatching(message) }),
    );
  });
});
