import { UsageError } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { discover } from '../src/suite/discover.ts';

const files = {
  'benchmarks/assert/deepequal-buffer.ts': '',
  'benchmarks/assert/deepequal-map.ts': '',
  'benchmarks/assert/ok.js': '',
  'benchmarks/assert/_shared.ts': '',
  'benchmarks/assert/types.d.ts': '',
  'benchmarks/assert/notes.md': '',
  'benchmarks/assert/fixtures/data.ts': '',
  'benchmarks/assert/deep/nested.mts': '',
  'benchmarks/url/parse.cjs': '',
  'benchmarks/_private/x.ts': '',
  'benchmarks/fixtures/y.ts': '',
  'benchmarks/empty/readme.txt': '',
  'elsewhere/lonely.ts': '',
};

function names(items: string[], more: { filter?: string[]; exclude?: string[]; suite?: string } = {}) {
  using suite = temporarySuite(files);
  return discover({ items, cwd: suite.directory, ...more }).files.map(({ name }) => name);
}

function message(items: string[], more: { filter?: string[]; exclude?: string[]; suite?: string } = {}) {
  try {
    names(items, more);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('nothing was wrong');
}

describe('the benchmarks that a selection means', () => {
  it('are the scripts of a group, sub-directories included, by name', () => {
    expect(names(['assert'])).toEqual([
      'assert/deep/nested.mts',
      'assert/deepequal-buffer.ts',
      'assert/deepequal-map.ts',
      'assert/ok.js',
    ]);
  });

  it('are those of all groups for the word "all", without what is private, fixture, or no script', () => {
    expect(names(['all'])).toEqual([
      'assert/deep/nested.mts',
      'assert/deepequal-buffer.ts',
      'assert/deepequal-map.ts',
      'assert/ok.js',
      'url/parse.cjs',
    ]);
  });

  it('keep the order of the items, and come once', () => {
    expect(names(['url', 'assert/ok.js', 'url'])).toEqual(['url/parse.cjs', 'assert/ok.js']);
  });

  it('can be files, by a path from here or from the suite', () => {
    expect(names(['benchmarks/url/parse.cjs'])).toEqual(['url/parse.cjs']);
    expect(names(['url/parse.cjs'])).toEqual(['url/parse.cjs']);
  });

  it('are named by directory and file when they lie outside of the suite', () => {
    expect(names(['elsewhere/lonely.ts'])).toEqual(['elsewhere/lonely.ts']);
  });

  it('are kept by any filter, and then dropped by any exclude', () => {
    expect(names(['assert'], { filter: ['deepequal-b', 'deepequal-m'] })).toHaveLength(2);
    expect(names(['assert'], { filter: ['deepequal'], exclude: ['-map'] })).toEqual([
      'assert/deepequal-buffer.ts',
    ]);
  });

  it('are filtered by the name of the file and not that of its group', () => {
    expect(message(['assert'], { filter: ['assert'] })).toContain('--filter "assert" matches none');
  });
});

describe('a selection that means nothing', () => {
  it('names the groups there are', () => {
    expect(message(['asert'])).toMatch(/there is no group or file "asert"; the suite .* has: assert, url$/);
    expect(message([])).toMatch(/name at least one group or file/);
  });

  it('names the pattern and the files it was tried on', () => {
    expect(message(['assert'], { filter: ['deepequal', 'typo'] })).toMatch(
      /"typo" matches none of .*deepequal-map/,
    );
    expect(message(['url'], { exclude: ['parse'] })).toBe('--exclude leaves nothing of url/parse.cjs');
  });

  it('says that a suite, or a script, is none', () => {
    expect(message(['x'], { suite: 'nowhere' })).toBe('the suite nowhere is no directory');
    expect(message(['benchmarks/assert/notes.md'])).toContain('is no script');
    expect(message(['benchmarks/empty'])).toContain('no benchmark files');
  });

  it('reports an exclude that excludes nothing, which is harmless', () => {
    using suite = temporarySuite(files);
    expect(discover({ items: ['url'], exclude: ['zzz'], cwd: suite.directory }).idleExcludes).toEqual([
      'zzz',
    ]);
  });
});
