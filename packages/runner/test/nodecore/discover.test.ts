import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commonJs, nodeCoreSuite } from '../../../../test/support/node-core-suite.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { filterFiles, findFiles, type Selection } from '../../src/suite/discover.ts';

const discover = (selection: Selection) => filterFiles(findFiles(selection), selection, new Set());

const files = {
  'run.js': '',
  '_cli.js': '',
  'fixtures/data.js': '',
  'url/parse.js': '',
  'url/_shared.js': '',
  'url/.hidden.js': '',
  'url/bench-esm.mjs': '',
  'url/deep/nested.js': '',
  'url/fixtures/text.js': '',
  'url/README.md': '',
  'napi/ref/index.js': '',
  'napi/ref/binding.gyp': '',
};

function names(selection: Pick<Selection, 'items' | 'suite' | 'filter'>, below = ''): string[] {
  using suite = nodeCoreSuite(files);
  return discover({ cwd: join(suite.directory, below), ...selection }).files.map(({ name }) => name);
}

describe('a suite of Node core', () => {
  it('has the files of a group without its sub-directories, except directories with an index.js', () => {
    expect(names({ items: ['all'] })).toEqual(['napi/ref/index.js', 'url/bench-esm.mjs', 'url/parse.js']);
  });

  it('is found from a checkout, from inside the suite, and from the path of a file', () => {
    expect(names({ items: ['url'] })).toEqual(['url/bench-esm.mjs', 'url/parse.js']);
    expect(names({ items: ['all'] }, 'benchmark')).toHaveLength(3);
    expect(names({ items: ['url'] }, 'benchmark/napi')).toEqual(['url/bench-esm.mjs', 'url/parse.js']);
    using suite = nodeCoreSuite(files);
    using elsewhere = temporarySuite({});
    const path = join(suite.directory, 'benchmark/url/parse.js');
    const found = discover({ items: [path], cwd: elsewhere.directory });
    expect(found.files).toEqual([{ name: 'url/parse.js', path }]);
  });

  it('can be selected by its directory', () => {
    expect(names({ items: ['./benchmark'] })).toHaveLength(3);
    expect(names({ items: ['all'], suite: 'benchmark' })).toHaveLength(3);
  });

  it('is not recognised if its common.js only exports @bench-cli/core', () => {
    using suite = temporarySuite({
      'benchmark/common.js': "module.exports = require('@bench-cli/core/common'); // has createBenchmark\n",
      'benchmark/g/deep/a.js': '',
    });
    expect(discover({ items: ['g'], cwd: suite.directory }).files).toMatchObject([{ name: 'g/deep/a.js' }]);
  });

  it('does not change other suites of a selection', () => {
    const core = { 'node/benchmark/common.js': commonJs('new'), 'node/benchmark/g/b.js': '' };
    using suite = temporarySuite({ 'benchmarks/g/deep/a.ts': '', ...core });
    const items = ['g', 'node/benchmark/g'];
    const { files } = discover({ items, cwd: suite.directory });
    expect(files.map(({ name }) => name)).toEqual(['g/deep/a.ts', 'g/b.js']);
  });
});
