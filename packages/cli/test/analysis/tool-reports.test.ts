import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli, bin } from '../../../../test/support/command.ts';
import { inOrder, usageError } from '../../../../test/support/error-with.ts';
import { type TemporarySuite, temporarySuite } from '../../../../test/support/suite.ts';
import { toolReport } from '../../../../test/support/tool-report.ts';

let project: TemporarySuite;

/** A report of mitata, whose tasks take these times, nanoseconds. */
const mitata = (fast: number, slow: number, name = 'fast') => {
  const { benchmarks, ...report } = JSON.parse(toolReport('mitata.json'));
  const task = (alias: string, avg: number) => ({
    ...benchmarks[0],
    group: 0,
    alias,
    args: {},
    runs: [{ args: {}, name: alias, stats: { avg } }],
  });
  return JSON.stringify({ ...report, benchmarks: [task(name, fast), task('slow', slow)] });
};

beforeAll(() => {
  const runs = Array.from({ length: 8 }, (_, at) => [`${at}.json`, mitata(100 + at, 200 + at)] as const);
  project = temporarySuite({
    'node.jsonl': toolReport('node-bench.jsonl'),
    'vitest.json': toolReport('vitest.json'),
    'mitata.json': toolReport('mitata.json'),
    'hostile.json': mitata(1, 2, 'a\u001b[2J\n::error::b'),
    ...Object.fromEntries(runs),
  });
});
afterAll(() => project[Symbol.dispose]());

const analyze = (words: string, input = '') =>
  benchCli(['analyze', ...words.split(' ').filter(Boolean)], { cwd: project.directory, input });

describe('analyze', () => {
  it.each([
    ['node.jsonl', 'node:bench', /\n {2}count=10 +4\.037 M\n {2}count=1000 +69\.34 k\n/],
    [
      'vitest.json',
      'vitest',
      /\nsort\.bench\.js > words > sort\n.*\n {2}by code unit +11\.48 k\n {2}by locale +6\.783 k\n/,
    ],
    ['mitata.json', 'mitata', /\n {2}by=locale length=1000 +6\.855 k\n/],
  ])('shows %s as one run, which has no spread and no rank', async (file, tool, rows) => {
    const { stdout, stderr, exitCode } = await analyze(file);
    expect(stdout).toMatch(rows);
    expect(stdout).not.toMatch(/±|fastest/);
    expect(stdout).toContain(`One process of ${tool}`);
    expect(stderr).toMatch(inOrder([file, `1 report of ${tool}`]));
    expect(exitCode).toBe(0);
  });

  it('ranks tasks by the reports of several processes', async () => {
    const { stdout } = await analyze(Array.from({ length: 8 }, (_, at) => `${at}.json`).join(' '));
    expect(stdout).toMatch(
      /^\nmitata\n.*\n {2}fast +9\.667 M +±2\.4 % +8 {2}fastest\n {2}slow +4\.915 M .* 8\n/,
    );
    expect(stdout).toMatch(/fast is\n {4}1\.97 times as fast as slow \(/);
  });

  it('reads a report from a pipe', async () => {
    const { stdout } = await analyze('mitata.json');
    for (const words of ['', '-'])
      expect((await analyze(words, toolReport('mitata.json'))).stdout).toBe(stdout);
    const table = await analyze('--xaxis length --where by=locale', toolReport('mitata.json'));
    expect(table.stdout).toMatch(/\n +10 +1603774/);
    const piped = await execa('bash', ['-c', `cat node.jsonl | "${process.execPath}" "${bin}" analyze`], {
      cwd: project.directory,
    });
    expect(piped.stdout).toContain('text/join.mjs > text > join');
  });

  it('selects cases, and shows them by a parameter', async () => {
    expect((await analyze('mitata.json --where by=locale --where length=10')).stdout).not.toContain(
      'code unit',
    );
    const { stdout } = await analyze('mitata.json --where by!=x --xaxis length --category by');
    expect(stdout).toMatch(/\n +10 +locale /);
  });

  it('shows no control sequence of a name', async () => {
    const { stdout } = await analyze('hostile.json');
    for (const hidden of ['\u001b', '\n::']) expect(stdout).not.toContain(hidden);
  });

  it.each([
    ['--format json mitata.json', 'USAGE', ['--format']],
    ['--fail-on slower mitata.json', 'USAGE', ['--fail-on']],
    ['--sort effect mitata.json', 'USAGE', ['--sort']],
    ['--where size=1 mitata.json', 'UNKNOWN_PARAMETER', ['"size"']],
    ['mitata.json vitest.json', 'TOOL_REPORT', ['mitata', 'vitest']],
    ['mitata.json ./mitata.json', 'MERGE_DUPLICATE', ['mitata.json']],
    ['mitata.json missing.json', 'FILE_NOT_FOUND', ['missing.json']],
    ['mitata.json package.json', 'TOOL_REPORT', ['package.json']],
    ['--format hdr mitata.json', 'COMMAND', ['mitata.json']],
    ['old=mitata.json new=0.json', 'COMMAND', ['mitata.json', 'bench-cli compare']],
  ])('refuses %s', async (words, code, values) => {
    expect(await analyze(words)).toEqual(usageError(code, ...values));
  });
});
