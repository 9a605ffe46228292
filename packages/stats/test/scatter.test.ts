import { readScatterCsv, UsageError } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { type ScatterSample, scatterTable } from '../src/index.ts';
import { fixture, relativeError, scatterFigures } from './fixture.ts';

const sample = (configuration: ScatterSample['configuration'], ...rates: number[]): ScatterSample => ({
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
    expect(table.aggregated).toEqual(aggregated);
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

  it('takes rates one by one as well as in samples', () => {
    const together = scatterTable([sample({ n: 1, m: 1 }, 1, 2, 4)], 'n', 'm');
    expect(
      scatterTable(
        [1, 2, 4].map((rate) => sample({ n: 1, m: 1 }, rate)),
        'n',
        'm',
      ),
    ).toEqual(together);
  });

  it('knows no interval of a single rate', () => {
    expect(scatterTable([sample({ n: 1, m: 1 }, 5)], 'n', 'm').cells).toEqual([
      { x: 1, category: 1, n: 1, mean: 5, halfWidth: null },
    ]);
  });

  it('takes as many rates as there are', () => {
    const rates = new Float64Array(300_000).fill(2);
    const samples = [{ benchmark: 'a.js', configuration: { n: 1, m: 1 }, rates }];
    expect(scatterTable(samples, 'n', 'm').cells[0]).toMatchObject({ n: 300_000, mean: 2, halfWidth: 0 });
  });

  it.each([
    ['an unknown parameter', [sample({ n: 1, m: 1 }, 1)], 'k', 'm', 'choose one of: n, m'],
    ['an unknown category', [sample({ n: 1, m: 1 }, 1)], 'n', 'k', 'the category "k"'],
    ['the same parameter twice', [sample({ n: 1, m: 1 }, 1)], 'n', 'n', 'two different parameters'],
    [
      'two benchmarks',
      [sample({ n: 1, m: 1 }, 1), { ...sample({ n: 1, m: 1 }, 1), benchmark: 'b.js' }],
      'n',
      'm',
      'one benchmark at a time',
    ],
    ['no samples', [], 'n', 'm', 'no samples'],
    [
      'samples without the parameter',
      [sample({ n: 1, m: 1 }, 1), sample({ n: 1 }, 1)],
      'n',
      'm',
      'which others have',
    ],
  ])('refuses %s', (_, samples, xaxis, category, message) => {
    expect(() => scatterTable(samples, xaxis, category)).toThrow(UsageError);
    expect(() => scatterTable(samples, xaxis, category)).toThrow(message);
  });
});
