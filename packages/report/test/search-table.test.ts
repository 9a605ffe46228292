import type { SearchResult } from '@bench-cli/stats/internal';
import { Bisection } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';
import { renderSearch, summarizeSearch } from '../src/table/search-table.ts';

const result: SearchResult = {
  ends: new Bisection(2).ends(),
  found: undefined,
  good: 'v0',
  versions: [{ version: 'v2', runs: 8, ratio: null, verdict: 'undecided' }],
  size: 2,
  runs: 16,
  runsMs: 1000,
};

describe('the summary of a search', () => {
  it.each([
    ['time', '--budget', '--max-runs'],
    ['runs', '--max-runs', '--budget'],
    [undefined, 'steadier', '--max-runs'],
  ] as const)('of one that %s ended advises what would continue it', (limit, advised, other) => {
    const [answer] = summarizeSearch({ ...result, limit }, 0);
    expect(answer).toContain(advised);
    expect(answer).not.toContain(other);
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [408_000, '6 min 48 s'],
  ])('says that %i ms are %s', (elapsedMs, text) => {
    expect(summarizeSearch(result, elapsedMs).at(-1)).toMatch(new RegExp(`took ${text}\\.$`));
  });
});

it('the table of a search fits a terminal, with the middle of a hash left out, and is whole elsewhere', () => {
  const hash = `git:${'0123456789abcdef'.repeat(2)}01234567`;
  const hashed = { ...result, good: hash };
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  expect(widest(renderSearch(hashed, 'table', 60))).toBeLessThanOrEqual(60);
  expect(renderSearch(hashed, 'table')).toContain(hash);
  expect(renderSearch(hashed, 'markdown', 60)).toContain(hash);
});
