import type { SearchResult } from '@bench-cli/stats/internal';
import { Bisection } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';
import { summarizeSearch } from '../src/table/search-table.ts';

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
    [undefined, '--calibrate', '--max-runs'],
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
