import { symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';
import { filterFiles, findFiles, itemsIn, type Selection } from '../src/suite/discover.ts';

const discover = (selection: Selection) => filterFiles(findFiles(selection), selection, new Set());

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

const suite = sharedSuite(files);

function names(items: string[], more: More = {}) {
  return discover({ items, cwd: suite.directory, ...more }).files.map(({ name }) => name);
}

type More = { filter?: string[]; exclude?: string[]; suite?: string };

const expectRefused = (items: string[], more: More, code: string, ...values: string[]) =>
  expect(() => names(items, more)).toThrow(errorWith(code, ...values));

it('a benchmark whose name is not UTF-8 is refused, and other files are not', () => {
  using suite = temporarySuite(files);
  const named = (end: string) =>
    Buffer.concat([suite.path('benchmarks/url/'), '\xe9', end].map((each) => Buffer.from(each, 'latin1')));
  const select = () => discover({ items: ['url'], cwd: suite.directory }).files;
  writeFileSync(named('.txt'), '');
  expect(select()).toHaveLength(1);
  writeFileSync(named('.js'), '');
  expect(select).toThrow(errorWith('SELECTION', 'benchmarks/url', 'UTF-8'));
});

describe('a command', () => {
  it('is an item with a space that is no path, with its words by the rules of a shell', () => {
    using suite = temporarySuite({ 'a b.js': '' });
    const items = ['a b.js', `node cli.js "x y" '<z>'`];
    expect(discover({ items, cwd: suite.directory }).files).toMatchObject([
      { path: suite.path('a b.js') },
      { name: items[1], command: ['node', 'cli.js', 'x y', '<z>'] },
    ]);
  });

  it.each([
    ['node a.js | wc', '|'],
    ['node a.js >out', '>'],
    ['node a.js & wait', '&'],
    ["node 'a.js", 'quote'],
    ['ls $HOME', '$HOME'],
    ['ls "$HOME"', '$HOME'],
    ['echo $(date)', '$('],
    ['echo "$(date)"', '$('],
    ['echo `date`', '`'],
    ['ls *.js', '*'],
    ['ls a?.js', '?'],
    ['ls [ab].js', '['],
    ['ls ~', '~'],
    ['ls {a,b}.js', '{a,b}'],
    ['ls {1..3}', '{1..3}'],
    ['true x # comment', '#'],
    ['FOO=1 node -e 0', 'FOO='],
  ])('is an error if it requires a shell: %s', (item, syntax) => {
    expectRefused([item], {}, 'COMMAND_TEXT', item, syntax);
  });

  it.each([
    [`echo '$HOME $(date) * ~ {a,b} # \`x\` | > ;'`, ['echo', '$HOME $(date) * ~ {a,b} # `x` | > ;']],
    ['echo "a * ~ {a,b} # |" b', ['echo', 'a * ~ {a,b} # |', 'b']],
    ['echo \\$HOME "\\$HOME" \\*', ['echo', '$HOME', '$HOME', '*']],
    ['gzip -{level} a~ b#c d=e {x}', ['gzip', '-{level}', 'a~', 'b#c', 'd=e', '{x}']],
    ['env FOO=1 node -e 0', ['env', 'FOO=1', 'node', '-e', '0']],
    ['true ', ['true']],
  ])('needs no shell: %s', (item, words) => {
    expect(discover({ items: [item], cwd: suite.directory }).files).toMatchObject([{ command: words }]);
  });

  it('is refused if it is given twice', () => {
    expectRefused(['echo x', 'echo y', 'echo x'], {}, 'SELECTION', 'echo x', 'twice');
  });

  it.each(['true', './s.sh'])('of one word has a space after it: %s', (word) => {
    using suite = temporarySuite({ 's.sh': '' });
    expect(() => discover({ items: [word], cwd: suite.directory })).toThrow(
      errorWith(word === 'true' ? 'SELECTION' : 'NOT_A_SCRIPT', `'${word} '`),
    );
  });
});

describe('selected benchmarks', () => {
  const [nested, buffer, map, ok] = [
    'deep/nested.mts',
    'deepequal-buffer.ts',
    'deepequal-map.ts',
    'ok.js',
  ].map((name) => `assert/${name}`);
  const parse = 'url/parse.cjs';

  it.each<[what: string, items: string[], selected: unknown[], more?: More]>([
    ['the scripts of a group and its sub-directories, by name', ['assert'], [nested, buffer, map, ok]],
    ['those of all groups, without private files and fixtures', ['all'], [nested, buffer, map, ok, parse]],
    ['in the order of the items, each once', ['url', 'assert/ok.js', 'url'], [parse, ok]],
    ['files, by a path from the working directory', ['benchmarks/url/parse.cjs'], [parse]],
    ['named by directory and file outside of the suite', ['elsewhere/lonely.ts'], ['elsewhere/lonely.ts']],
    ['those of any filter', ['assert'], [buffer, map], { filter: ['deepequal-b', 'deepequal-m'] }],
    ['those of no exclude', ['assert'], [buffer], { filter: ['deepequal'], exclude: ['-map'] }],
    [
      'those of whole names with a slash',
      ['all'],
      [map, ok],
      { filter: ['assert/', '/l\\/p/'], exclude: ['/^assert\\/deep.*[dr]\\./', parse] },
    ],
  ])('are %s', (_, items, selected, more) => {
    expect(names(items, more)).toEqual(selected);
  });

  it('are found once where links lead back, to themselves or nowhere', () => {
    using suite = temporarySuite({ 'benchmarks/g/a.ts': '', 'elsewhere/b.ts': '' });
    symlinkSync('..', suite.path('benchmarks/g/up'));
    symlinkSync('self', suite.path('benchmarks/g/self'));
    symlinkSync('nowhere', suite.path('benchmarks/g/nowhere.ts'));
    symlinkSync('../../elsewhere', suite.path('benchmarks/g/linked'));
    const { files: found } = discover({ items: ['all'], cwd: suite.directory });
    expect(found.map(({ name }) => name)).toEqual(['g/a.ts', 'g/linked/b.ts']);
  });

  it('include the files at the top of a suite for "all", except configuration files', () => {
    using suite = temporarySuite({
      'benchmarks/top.ts': '',
      'benchmarks/_helper.ts': '',
      'benchmarks/bench-cli.config.ts': '',
      'benchmarks/g/a.ts': '',
      'lonely/only.ts': '',
    });
    const namesOf = (more: More) =>
      discover({ items: ['all'], cwd: suite.directory, ...more }).files.map(({ name }) => name);
    expect(namesOf({})).toEqual(['g/a.ts', 'top.ts']);
    expect(namesOf({ suite: 'lonely' })).toEqual(['only.ts']);
  });
});

it.each<[what: string, items: string[], more: More, code: string, ...values: string[]]>([
  ['an unknown group', ['asert'], {}, 'SELECTION', '"asert"', 'assert, url'],
  ['nothing', [], {}, 'SELECTION', 'assert, url'],
  ['an unknown file', ['url/prase.cjs'], {}, 'SELECTION', '"url/prase.cjs"', 'parse.cjs'],
  ['an idle filter', ['assert'], { filter: ['ok', 'typo'] }, 'SELECTION', '"typo"', 'deepequal-map'],
  ['a filter of the group', ['assert'], { filter: ['assert'] }, 'SELECTION', '--filter "assert"'],
  ['an exclude of all', ['url'], { exclude: ['parse'] }, 'SELECTION', '--exclude', 'url/parse.cjs'],
  ['a missing suite', ['x'], { suite: 'nowhere' }, 'SUITE', 'nowhere'],
  ['a text', ['benchmarks/assert/notes.md'], {}, 'NOT_A_SCRIPT', 'benchmarks/assert/notes.md'],
  ['an empty directory', ['benchmarks/empty'], {}, 'SELECTION', 'benchmarks/empty'],
  ['an empty suite', ['all'], { suite: 'benchmarks/empty' }, 'SELECTION', 'benchmarks/empty'],
])('a selection of %s is refused, with what there is', (_, items, more, code, ...values) => {
  expectRefused(items, more, code, ...values);
});

describe('without a suite, all benchmarks', () => {
  const tinybench = "import { Bench } from 'tinybench';";
  const vitest = "import { bench } from 'vitest';";
  const files = {
    'lib/speed.js': tinybench,
    'lib/required.cjs': "const { createBenchmark } = require('@bench-cli/core');",
    'packages/a/bench/deep/a.ts': vitest,
    'src/b.bench.ts': vitest,
    'src/c.benchmark.mjs': "import { run } from 'mitata';",
    // None of these may be executed.
    'scripts/deploy.js': "import { rmSync } from 'node:fs'; // not with 'tinybench'",
    'scripts/later.js': "if (process.argv[2]) await import('tinybench');",
    'benchmark.config.js': '',
    'bench/helper.js': 'export {};',
    'src/b.test.ts': vitest,
    'bench/c.test.ts': vitest,
    'src/fixtures/d.js': tinybench,
    'dist/e.bench.js': tinybench,
  };
  const found = ['lib/required.cjs', 'lib/speed.js', 'packages/a/bench/deep/a.ts', 'src/b.bench.ts'];

  it('are the files that import a library of benchmarks and that git does not ignore', async () => {
    using repository = gitRepository(files);
    const { directory } = repository;
    repository.write({ 'new.js': tinybench });
    const expected = [...found.slice(0, 2), 'new.js', ...found.slice(2), 'src/c.benchmark.mjs'];
    expect(await itemsIn([], undefined, directory)).toEqual(expected);
    expect(await itemsIn(['all', 'node x'], undefined, directory)).toEqual(['node x', ...expected]);
    expect(await itemsIn(['scripts/deploy.js'], undefined, directory)).toEqual(['scripts/deploy.js']);
    expect(await itemsIn([], 'src', directory)).toEqual(['all']);
    await expect(itemsIn([], undefined, repository.path('scripts'))).rejects.toEqual(errorWith('SELECTION'));
  });

  it('need no repository', async () => {
    using suite = temporarySuite({ 'a.js': tinybench, 'b.js': '' });
    expect(await itemsIn(['all'], undefined, suite.directory)).toEqual(['a.js']);
  });
});
