import { nameCase, type Sample, samplesByGroup, TASK } from '@bench-cli/results';
import { rankParameters } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';
import { rankOf, renderRankings, renderRunTable } from '../src/index.ts';

const row = (method: string, rate: number, spread: number | null = null, note = '') => ({
  ...nameCase({ benchmark: 'g/a.ts', configuration: { n: 5, method } }),
  rate,
  spread,
  runs: spread === null ? 1 : 10,
  note,
});

const lines = (text: string) => text.trimEnd().split('\n');

describe('the table of run', () => {
  it('has the constant parameters once, and a line with rate and spread for each case', () => {
    expect(
      lines(renderRunTable('g/a.ts', [row('parse', 385_712, 0.0123), row('slow', 12.5, 0.4)], 80)),
    ).toEqual([
      'g/a.ts n=5',
      '                  ops/s           runs',
      '  method=parse  385.7 k   ±1.2 %    10',
      '  method=slow   12.50    ±40.0 %    10',
    ]);
  });

  it('has no spread for single runs, and notes at the end', () => {
    expect(
      lines(renderRunTable('g/a.ts', [row('parse', 2, null, '(p50 1 ms)'), row('slow', 1)], 80)),
    ).toEqual([
      'g/a.ts n=5',
      '                  ops/s',
      '  method=parse  2.000    (p50 1 ms)',
      '  method=slow   1.000',
    ]);
  });

  it.each([48, 60, 80])('shortens names in the middle to %i columns', (width) => {
    const text = renderRunTable(
      'g/a.ts',
      [row(`a${'very'.repeat(40)}long`, 1, 0.1), row('b', 2, 0.1)],
      width,
    );
    for (const line of lines(text)) expect(line.length).toBeLessThanOrEqual(width);
    expect(text).toMatch(/ {2}me.*….*ng +1\.000/);
  });
});

describe('a ranking', () => {
  const sample = (configuration: Record<string, string | number | boolean>, mean: number) => ({
    benchmark: 'g/a.ts',
    configuration,
    rates: [0.99, 0.995, 1, 1.005, 1.01].map((factor) => mean * factor),
  });

  it('says how many times as fast the fastest value is, with letters for values that it cannot tell apart', () => {
    const samples = [
      sample({ method: 'a' }, 100),
      sample({ method: 'b' }, 165),
      sample({ method: 'c' }, 165.5),
    ];
    const shown = lines(renderRankings(rankParameters(samples)));
    expect(shown).toEqual([
      expect.stringMatching(/^ {2}method=c .* a$/),
      expect.stringMatching(/^ {4}not .* b \(0\.9\d to 1\.0\d .* a$/),
      expect.stringMatching(/^ {4}1\.6[56] .* a \(1\.\d\d to 1\.\d\d\)$/),
    ]);
    expect(shown[0]?.length).toBe(shown[1]?.length);
  });

  it('is not made of numbers, which are sizes', () => {
    expect(renderRankings(rankParameters([sample({ len: 1 }, 100), sample({ len: 2 }, 200)]))).toBe('');
  });
});

describe('the tasks of a file', () => {
  const files = [{ name: 'g/a.ts', path: '/g/a.ts' }];
  const rates = (mean: number) => [0.99, 0.995, 1, 1.005, 1.01].map((factor) => mean * factor);
  const task = (name: string, mean: number): Sample => ({
    benchmark: `g/a.ts > ${name}`,
    configuration: {},
    rates: rates(mean),
  });

  it('are ranked within their suite, with letters for those that cannot be told apart', () => {
    const samples = [
      ...[task('sort > a', 100), task('sort > b', 165), task('sort > c', 165.5)],
      ...[task('copy > a', 2), task('copy > b', 1), task('alone', 1)],
    ];
    const groups = [...samplesByGroup(samples, files)].map(([group, its]) => {
      const [ranking] = rankParameters(its);
      const places = ranking && its.map(({ configuration }) => rankOf(configuration[TASK], ranking));
      return [group, places, ranking && lines(renderRankings([ranking]))[0]];
    });
    expect(groups).toEqual([
      ['g/a.ts > sort', ['', 'a', 'fastest a'], expect.stringMatching(/^ {2}c is +a$/)],
      ['g/a.ts > copy', ['fastest', ''], '  a is'],
      ['g/a.ts > alone', undefined, undefined],
    ]);
  });
});
