import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

const header = '"binary","filename","configuration","rate","time"\n';
const row = (binary: string, rate: string) => `"${binary}","g/a.js","n=1",${rate},0.1\n`;

let suite: TemporarySuite;

beforeAll(() => {
  suite = temporarySuite({
    'benchmarks/g/a.js': benchmark('{ n: [1, 2] }'),
    'benchmarks/g/b.js': benchmark('{ n: [1, 2] }', "throw new Error('broken');"),
    'text.txt': 'no program',
    'empty.csv': '',
    'header.csv': header,
    'columns.csv': '"binary","filename","rate"\n',
    'words.csv': header + row('old', '1') + row('new', 'fast'),
    'binary.csv': header + row('node', '1'),
    'torn.csv': `${header}${row('old', '1')}${row('new', '2')}"new","g/a.js","n=`,
    'windows.csv': `\uFEFF${(header + row('old', '1') + row('new', '2')).replaceAll('\n', '\r\n')}`,
    'newer.jsonl': '{"type":"session","format":99}\n',
    'broken.jsonl': '{"type":"session"\n',
  });
});

afterAll(() => suite[Symbol.dispose]());

const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });

/** Exit code 2, one clear message, nothing on stdout, and no stack trace. */
describe.each<[what: string, args: string[], says: RegExp]>([
  ['an unknown command', ['frobnicate'], /unknown command 'frobnicate'/],
  ['an unknown option', ['run', '--rnus', '3', 'g'], /unknown option '--rnus'/],
  ['no group', ['run'], /name at least one group or file, or "all"; the suite .* has: g/],
  ['an unknown group', ['run', 'nope'], /there is no group or file "nope"; the suite .* has: g/],
  ['a file that is not there', ['run', './g/none.js'], /there is no group or file "\.\/g\/none\.js"/],
  ['a file that is no script', ['run', 'text.txt'], /text\.txt is no script/],
  ['a suite that is not there', ['run', '--suite', 'nope', 'g'], /the suite nope is no directory/],
  ['a format that there is not', ['run', '--format', 'xml', 'g'], /xml.*simple, csv, json/],
  [
    'a filter that matches nothing',
    ['run', '--filter', 'zzz', 'g'],
    /--filter "zzz" matches none of the files: g\/a\.js, g\/b\.js/,
  ],
  [
    'an exclude that leaves nothing',
    ['run', '--exclude', 'js', 'g'],
    /--exclude leaves nothing of g\/a\.js, g\/b\.js/,
  ],
  [
    'a parameter that no benchmark has',
    ['run', '--set', 'm=1', 'g/a.js'],
    /no selected benchmark has a parameter "m"; they have: n/,
  ],
  ['a --set that is no pair', ['run', '--set', 'n', 'g'], /--set n: it takes the form name=value/],
  ['CPUs that are none', ['run', '--set', 'CPUSET=a', 'g'], /CPUSET=a: name CPUs as taskset does/],
  ['no runs', ['run', '--runs', '0', 'g'], /'0' is invalid. It takes a whole number, 1 or above/],
  ['a time that is none', ['run', '--timeout', 'soon', 'g'], /'soon' is invalid. It takes seconds/],
  ['a comparison without subjects', ['compare', 'g'], /needs --old and --new/],
  [
    'a runtime that is not there',
    ['compare', '--old', './none', '--new', 'node', 'g'],
    /old: there is no runtime \.\/none/,
  ],
  [
    'a runtime that is not executable',
    ['run', '--runtime', './text.txt', 'g'],
    /text\.txt is not executable; chmod \+x it/,
  ],
  [
    'a runtime that is no Node.js',
    ['run', '--runtime', '/bin/echo', 'g'],
    /does not answer as Node\.js does/,
  ],
  ['a release that is none', ['run', '--runtime', 'node@{}', 'g'], /is neither a version nor a tag/],
  [
    'an --out that exists',
    ['run', '--out', 'text.txt', 'g'],
    /text\.txt exists; continue what it holds with --resume/,
  ],
  ['an --out that cannot be', ['run', '--out', 'text.txt/x', 'g'], /cannot write to text\.txt\/x/],
  ['a --resume of nothing', ['run', '--resume', 'none.jsonl'], /there is no file none\.jsonl/],
  [
    'a --resume with a selection',
    ['run', '--resume', 'newer.jsonl', 'g'],
    /--resume takes everything from its file; leave out g/,
  ],
  [
    'results of a newer version',
    ['run', '--resume', 'newer.jsonl'],
    /newer\.jsonl:1: written by a newer bench-cli \(format 99/,
  ],
  ['damaged results', ['analyze', 'compare', 'broken.jsonl'], /broken\.jsonl:1: this line is no JSON/],
  ['scatter without a file', ['scatter'], /scatter needs the file of one benchmark/],
  ['scatter of a group', ['scatter', 'g'], /scatter takes one benchmark; g holds 2/],
  ['a CSV that is not there', ['analyze', 'compare', 'none.csv'], /there is no file none\.csv/],
  ['an empty CSV', ['analyze', 'compare', 'empty.csv'], /empty/],
  ['a CSV without rows', ['analyze', 'compare', 'header.csv'], /no complete row/],
  ['a CSV without a column', ['analyze', 'compare', 'columns.csv'], /line 1.*configuration/],
  ['a CSV with words for numbers', ['analyze', 'compare', 'words.csv'], /line 3.*fast/],
  [
    'a CSV of other subjects',
    ['analyze', 'compare', 'binary.csv'],
    /line 2.*must be "old" or "new", not "node"/,
  ],
])('%s', (_what, args, says) => {
  it('gets one clear message and exit code 2', async () => {
    const { stdout, stderr, exitCode } = await run(...args);
    expect(stderr.split('\n')[0]).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });
});

describe('input that is only untidy', () => {
  it('is read: Windows line ends and a byte-order mark', async () => {
    expect(await run('analyze', 'compare', 'windows.csv')).toMatchObject({ exitCode: 0 });
  });

  it('is read up to a torn last line, with a warning that names it', async () => {
    const { exitCode, stderr, stdout } = await run('analyze', 'compare', 'torn.csv');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/warning: .*line 4/);
    expect(stdout).toContain('100.00 %');
  });

  it('is told of an exclude that excludes nothing', async () => {
    const { exitCode, stderr } = await run('run', '--exclude', 'zzz', 'g/a.js');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'warning: --exclude "zzz" excludes nothing\n',
    });
  });
});

describe('a benchmark that fails', () => {
  it('does not stop the others; its error and a summary are shown, and the exit code is 1', async () => {
    const { stdout, stderr, exitCode } = await run('run', '--format', 'csv', 'g');
    expect(stdout.match(/"g\/a\.js"/g)).toHaveLength(2);
    expect(stderr).toMatch(/^failed: g\/b\.js n=1: Error: broken\n {4}at .*b\.js:3:/);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('failed: 2 of 4 runs failed; see above');
    expect(exitCode).toBe(1);
  });

  it('is left out after it failed twice in a row', async () => {
    const { stderr } = await run('run', '--runs', '9', '--set', 'n=1', 'g/b.js');
    expect(stderr).toContain('it failed twice in a row: its other runs are left out');
    expect(stderr).toContain('2 of 2 runs failed');
  });

  it('stops everything with --bail, which can be continued', async () => {
    const out = suite.path('bail.jsonl');
    const { stderr, exitCode } = await run('run', '--bail', '--out', out, 'g/b.js', 'g/a.js');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`stopped at the first failure; go on with: bench-cli run --resume ${out}`);
    const resumed = await run('run', '--resume', out);
    expect(resumed.stdout).toMatch(/g\/a\.js n=2/);
  });
});
