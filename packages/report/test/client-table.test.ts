import { displayWidth, shownIn } from '@bench-cli/results';
import { summarizeSample } from '@bench-cli/stats';
import { expect, it } from 'vitest';
import { type ClientRow, renderClientTable } from '../src/index.ts';

const row = (name: string, rates: readonly number[], more: Partial<ClientRow> = {}): ClientRow => ({
  name,
  samples: 10,
  rates: rates.length === 0 ? null : summarizeSample(rates),
  ratio: null,
  tie: '',
  ...more,
});

it('has the columns of the table of undici, and lines that align', () => {
  const lines = renderClientTable([
    row('fetch', [1000], { samples: 1 }),
    row('undici - request', [2500.5], { samples: 1, ratio: { ratio: 2.5005 } }),
  ])
    .trimEnd()
    .split('\n');
  expect(lines[1]).toBe(
    '│ Tests            │ Samples │          Result │ Tolerance │ Difference with slowest │',
  );
  expect(lines[3]).toBe(
    '│ fetch            │       1 │ 1000.00 req/sec │      none │                       - │',
  );
  expect(lines[5]).toBe(
    '│ undici - request │       1 │ 2500.50 req/sec │      none │              + 150.05 % │',
  );
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([lines[0]?.length]));
});

it('adds intervals and ties where there are any, and shows failed clients without a rate', () => {
  const lines = renderClientTable([
    row('liar', []),
    row('fetch', [900, 1000, 1100], { tie: 'a' }),
    row('ky', [1000, 1000, 1000], { tie: 'a', ratio: { ratio: 1, low: 0.5, high: 200 } }),
  ])
    .split('\n')
    .map((line) => line.split('│').map((cell) => cell.trim()));
  expect(lines[1]?.join('|')).toBe(
    '|Tests|Samples|Result|Tolerance|95 % interval|Difference with slowest|Tied|',
  );
  expect(lines[3]).toEqual(['', 'liar', '10', 'failed', '-', '-', '-', '', '']);
  // sd 100, so a standard error of 57.7, and t(0.975, 2) = 4.3027.
  expect(lines[5]?.slice(3, 8)).toEqual(['1000.00 req/sec', '± 5.77 %', '752 to 1248', '-', 'a']);
  expect(lines[7]?.[6]).toBe('+ 0.00 % (- 50.0 % to > + 10000 %)');
});

it.each([
  [130, 'Tests Samples Result Tolerance 95 % interval', 'undici - request of a long name', '┘'],
  [110, 'Tests Result Tolerance', 'undici - request of a long name', 'less'],
  [100, 'Tests Result', 'undici - request of a long name', 'less'],
  [80, 'Tests Result', 'undici - r… long name', 'less'],
])('fits %i columns: first drops columns, then shortens names', (width, titles, name, last) => {
  const ratio = { ratio: 2.5, low: 1.25, high: 4.5 };
  const rows = [
    row('undici - request of a long name', [900, 1000, 1100]),
    row('fetch', [2400, 2500, 2600], { ratio }),
  ];
  const lines = renderClientTable(rows, width).trimEnd().split('\n');
  expect(lines[1]?.replaceAll(/[│ ]+/g, ' ').trim()).toBe(`${titles} Difference with slowest`);
  expect(lines[3]).toContain(` ${name} `);
  expect(lines[5]).toContain('(+ 25.0 % to + 350.0 %)');
  expect(lines.at(-1)).toContain(last);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
});

it.each(['a\nb', 'a\tb', 'a\x1b[2J', 'a\rb', 'a\u202eb', '界'])('aligns its line for the name %j', (name) => {
  const lines = renderClientTable([row(name, [1000]), row('fetch', [2000])])
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(7);
  expect(new Set(lines.map(displayWidth))).toEqual(new Set([displayWidth(lines[0] ?? '')]));
  expect(lines.join('\n')).toBe(shownIn('lines', lines.join('\n')).replaceAll('\t', ' '));
});
