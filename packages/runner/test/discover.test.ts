import { symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { filterFiles, findFiles, type Selection } from '../src/suite/discover.ts';

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

function names(items: string[], more: More = {}) {
  using suite = temporarySuite(files);
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
    ['ls $?', '$?'],
    ['ls $1', '$1'],
    ['ls "$HOME"', '$HOME'],
    ['echo $(date)', '$('],
    ['echo "$(date)"', '$('],
    ['echo `date`', '`'],
    ['echo "`date`"', '`'],
    ['ls *.js', '*'],
    ['ls a?.js', '?'],
    ['ls [ab].js', '['],
    ['ls ~', '~'],
    ['ls ~/a', '~'],
    ['ls {a,b}.js', '{a,b}'],
    ['ls {1..3}', '{1..3}'],
    ['true x # comment', '#'],
    ['FOO=1 node -e 0', 'FOO='],
    ["FOO='a b' node -e 0", 'FOO='],
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
    using suite = temporarySuite(files);
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
  it('are the scripts of a group and its sub-directories, by name', () => {
    expect(names(['assert'])).toEqual([
      'assert/deep/nested.mts',
      'assert/deepequal-buffer.ts',
      'assert/deepequal-map.ts',
      'assert/ok.js',
    ]);
  });

  it('are those of all groups for "all", without private files, fixtures and other files', () => {
    expect(names(['all'])).toEqual([
      'assert/deep/nested.mts',
      'assert/deepequal-buffer.ts',
      'assert/deepequal-map.ts',
      'assert/ok.js',
      'url/parse.cjs',
    ]);
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

  it('are in the order of the items, each once', () => {
    expect(names(['url', 'assert/ok.js', 'url'])).toEqual(['url/parse.cjs', 'assert/ok.js']);
  });

  it('are named by directory and file if they are outside of the suite', () => {
    expect(names(['elsewhere/lonely.ts'])).toEqual(['elsewhere/lonely.ts']);
  });

  it('match at least one filter, and no exclude', () => {
    expect(names(['assert'], { filter: ['deepequal-b', 'deepequal-m'] })).toHaveLength(2);
    expect(names(['assert'], { filter: ['deepequal'], exclude: ['-map'] })).toEqual([
      'assert/deepequal-buffer.ts',
    ]);
  });
});

describe('an invalid selection', () => {
  it('lists the groups of the suite', () => {
    expectRefused(['asert'], {}, 'SELECTION', '"asert"', 'assert, url');
    expectRefused([], {}, 'SELECTION', 'assert, url');
    expectRefused(['url/prase.cjs'], {}, 'SELECTION', '"url/prase.cjs"', 'parse.cjs');
  });

  it('names the pattern and the files', () => {
    expectRefused(['assert'], { filter: ['deepequal', 'typo'] }, 'SELECTION', '"typo"', 'deepequal-map');
    expectRefused(['url'], { exclude: ['parse'] }, 'SELECTION', '--exclude', 'url/parse.cjs');
  });

  it('names what is not a suite, not a script, or has no benchmark', () => {
    expectRefused(['x'], { suite: 'nowhere' }, 'SUITE', 'nowhere');
    expectRefused(['benchmarks/assert/notes.md'], {}, 'NOT_A_SCRIPT', 'benchmarks/assert/notes.md');
    expectRefused(['benchmarks/empty'], {}, 'SELECTION', 'benchmarks/empty');
    expectRefused(['all'], { suite: 'benchmarks/empty' }, 'SELECTION', 'benchmarks/empty');
  });

  it('may have an exclude that matches nothing, which is reported', () => {
    using suite = temporarySuite(files);
    expect(discover({ items: ['url'], exclude: ['zzz'], cwd: suite.directory }).idleExcludes).toEqual([
      'zzz',
    ]);
  });
});
