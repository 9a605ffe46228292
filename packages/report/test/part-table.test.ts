import type { PartDifference } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';
import { renderPartTable } from '../src/table/part-table.ts';

const part = (name: string, old: number, new_: number): PartDifference => ({
  part: name,
  old,
  new: new_,
  difference: new_ - old,
  low: new_ - old - 3.21,
  high: new_ - old + 3.21,
  adjustedP: 0.01,
});
const parts = [
  part('parse lib/parse.js', 123.4, 156.7),
  part(`RegExp: ${'(\\d{1,256})\\.'.repeat(20)}`, 98.7, 66.6),
];
const names = { old: 'Node.js 22.23.3', new: 'Node.js 26.10.0' };

describe('the table of functions', () => {
  it('has the value of both subjects, the difference with its interval, and the whole name of the function', () => {
    const [title = '', first = '', second = ''] = renderPartTable(parts, names).split('\n');
    const cells = (line: string) => line.trim().split(/ {2,}/);
    expect(cells(title)).toEqual([names.old, names.new, 'difference', '95 % interval', 'function']);
    const figures = ['123 ns', '157 ns', '+33.3 ns', '+30.1 ns to +36.5 ns'];
    expect(cells(first)).toEqual([...figures, 'parse lib/parse.js']);
    expect(second).toContain(parts[1]?.part.replaceAll('\\', '\\\\'));
  });

  it.each([100, 80])('shortens names to fit %i columns, but no figure', (width) => {
    const lines = renderPartTable(parts, names, width).trimEnd().split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(/\+33\.3 ns {2}\+30\.1 ns to \+36\.5 ns {2}parse lib\/parse\.js$/);
    expect(lines[2]).toMatch(/-32\.1 ns {2}-35\.3 ns to -28\.9 ns {2}RegExp.*…/);
  });
});
