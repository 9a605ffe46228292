import { readScatterCsv, type Sample } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fixture } from '../../../test/support/fixture.ts';
import { scatterTable } from '../src/scatter.ts';
import details from './fixtures/scatter-detail.json' with { type: 'json' };
import oneInLen from './fixtures/scatter-one-inlen.json' with { type: 'json' };
import stringDecoder from './fixtures/scatter-string-decoder.json' with { type: 'json' };
import { relativeError } from './r-figures.ts';

const sample = (configuration: Sample['configuration'], ...rates: number[]): Sample => ({
  benchmark: 'a.js',
  configuration,
  rates,
});

describe('scatterTable', () => {
  it.each([
    ['scatter-one-inlen', [], oneInLen],
    ['scatter-string-decoder', ['inLen'], stringDecoder],
  ])("has R's figures: %s", async (name, aggregated, expected) => {
    const { samples } = await readScatterCsv(fixture(`${name}.csv`));
    const table = scatterTable(samples, 'chunkLen', 'encoding');
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

  it('gives no interval of one rate', () => {
    expect(scatterTable([sample({ n: 1, m: 1 }, 5)], 'n', 'm').cells).toEqual([
      {
        ...{ x: 1, category: 1, n: 1, mean: 5, halfWidth: null },
        ...{ median: 5, medianInterval: null, isSkewed: false, step: null },
      },
    ]);
  });

  it.each(details)("has R's medians, shares and steps: $name", async (expected) => {
    const { samples } = await readScatterCsv(fixture(`${expected.name}.csv`));
    const { aggregated, cells } = scatterTable(samples, 'chunkLen', 'encoding');
    const { share } = expected;
    expect(aggregated).toEqual(share === null ? [] : [{ name: 'inLen', share: expect.closeTo(share, 9) }]);
    const cellOf = (length: number, encoding: string) =>
      cells.find(({ x, category }) => x === length && category === encoding);
    expect(cells).toHaveLength(expected.cells.length);
    for (const { chunkLen, encoding, median, low, high, isSkewed } of expected.cells) {
      const cell = cellOf(chunkLen, encoding);
      expect(cell).toMatchObject({ medianInterval: { low, high }, isSkewed });
      expect(relativeError(cell?.median, median)).toBeLessThan(1e-9);
    }
    expect(cells.filter(({ step }) => step !== null)).toHaveLength(expected.steps.length);
    for (const { encoding, to, ...figures } of expected.steps) {
      const step = cellOf(to, encoding)?.step;
      for (const name of ['ratio', 'exponent', 'p', 'delta'] as const)
        expect(relativeError(step?.[name], figures[name]), name).toBeLessThan(1e-9);
    }
  });

  it('gives an interval of the median from 6 rates on', () => {
    const samples = [sample({ n: 1 }, 1, 2, 3, 4, 5), sample({ n: 2 }, 6, 5, 1, 2, 3, 4)];
    const { cells } = scatterTable(samples, 'n', undefined);
    expect(cells.map(({ medianInterval }) => medianInterval)).toEqual([null, { low: 1, high: 6 }]);
  });

  it('tests steps within values of aggregated parameters, and tells the smallest p', () => {
    // k changes the rate more than n does.
    const rates = (n: number, k: number) => [1, 2, 3, 4].map((run) => 1000 * k + 10 * n + run);
    const samples = [1, 2].flatMap((n) => [1, 2].map((k) => sample({ n, k }, ...rates(n, k))));
    const stepOf = (of: readonly Sample[]) => scatterTable(of, 'n', undefined).cells.at(-1)?.step;
    expect(stepOf(samples)).toMatchObject({ delta: 1 });
    expect(stepOf([sample({ n: 1, k: 1 }, 1, 2), sample({ n: 2, k: 2 }, 3, 4)])).toBeNull();
    // Rates of k=2, which only one value of n has, are no part of a step.
    const [from, to] = [sample({ n: 1, k: 1 }, 1, 2), sample({ n: 2, k: 1 }, 2, 4)];
    const alone = sample({ n: 2, k: 2 }, 100, 200);
    expect(stepOf([from, to, alone])?.ratio).toBe(2);
    // Of 4 runs in two groups of 2, one of six orders is as separate, in either direction.
    expect(stepOf([sample({ n: 1 }, 1, 2), sample({ n: 2 }, 4, 1.5)])).toEqual({
      ...{ ratio: 2.75 / 1.5, exponent: Math.log2(2.75 / 1.5), delta: 0.5 },
      ...{ p: expect.closeTo(2 / 3, 9), leastP: expect.closeTo(1 / 3, 9) },
    });
  });

  it('has no exponent of texts, and no ratio to a rate of 0', () => {
    const samples = ['a', 'b', 'c'].map((n, at) => sample({ n }, at, at));
    const steps = scatterTable(samples, 'n', undefined).cells.map(({ step }) => step);
    expect(steps).toMatchObject([null, { ratio: null, exponent: null }, { ratio: 2, exponent: null }]);
  });

  it('describes whole commands by their times', () => {
    const samples = [1, 2].map((n) => ({ ...sample({ n }, n, 3 * n), isCommand: true as const }));
    // The mean time is two thirds of a second, and half as long.
    expect(scatterTable(samples, 'n', undefined).cells).toMatchObject([
      { mean: expect.closeTo(1.5, 9), step: null },
      { mean: expect.closeTo(3, 9), step: { ratio: expect.closeTo(2, 9), exponent: expect.closeTo(1, 9) } },
    ]);
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

  it('accepts more rates than a call can have arguments', () => {
    const rates = new Float64Array(300_000).fill(2);
    const samples = [{ benchmark: 'a.js', configuration: { n: 1, m: 1 }, rates }];
    expect(scatterTable(samples, 'n', 'm').cells[0]).toMatchObject({ n: 300_000, mean: 2, halfWidth: 0 });
  });

  it.each([
    ['an unknown axis', [sample({ n: 1, m: 1 }, 1)], 'k', 'm', 'UNKNOWN_PARAMETER', /"k" .*xaxis.* n, m/],
    ['an unknown category', [sample({ n: 1, m: 1 }, 1)], 'n', 'k', 'UNKNOWN_PARAMETER', /"k" .*group-by/],
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
    ['a missing value', [sample({ n: 1, m: 1 }, 1), sample({ n: 1 }, 1)], 'n', 'm', 'SCATTER', /a\.js .*"m"/],
  ])('rejects %s', (_, samples, xaxis, category, code, message) => {
    expect(() => scatterTable(samples, xaxis, category)).toThrow(errorWith(code, message));
  });
});
