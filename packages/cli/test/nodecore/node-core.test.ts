import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';

async function bench(cwd: string, ...words: readonly string[]) {
  const { stdout, stderr, exitCode } = await benchCli(words, { cwd });
  return { stdout: stdout.trimEnd(), stderr: stderr.trimEnd(), exitCode };
}

const files = {
  'g/a.js': script(`{ text: ['a "b"', "it's"], n: 2 }`),
  'g/b.js': script('{ n: [1, 2] }', 'conf.benchmarker = "wrk"; bench.report(1, 1000n);'),
};

describe('bench-cli with a suite of Node core', () => {
  it('writes the rows of run.js', async () => {
    using suite = nodeCoreSuite(files);
    const { stdout, stderr, exitCode } = await bench(suite.directory, 'run', '--format', 'csv', 'g');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.replace(/, [\d.]+, [\d.]+$/gm, '').split('\n')).toEqual([
      '"filename", "configuration", "rate", "time"',
      '"g/a.js", "n=2 text=""a \\""b\\"""""',
      '"g/a.js", "n=2 text=""it\'s"""',
      '"g/b.js", "n=1 benchmarker=""wrk"""',
      '"g/b.js", "n=2 benchmarker=""wrk"""',
    ]);
    expect(stdout).toContain('"g/b.js", "n=1 benchmarker=""wrk""", 1, 0.000001000\n');
  });

  it('writes the rows of compare.js', async () => {
    using suite = nodeCoreSuite(files);
    const node = ['--old', process.execPath, '--new', process.execPath, '--allow-same'];
    const options = ['--format', 'csv', '--runs', '2', '--filter', 'b', 'g'];
    const { stdout } = await bench(suite.directory, 'compare', ...node, ...options);
    const row = (binary: string, n: number) =>
      `"${binary}","g/b.js","n=${n} benchmarker='wrk'",1,0.000001000`;
    const [header, ...rows] = stdout.split('\n');
    expect(header).toBe('"binary","filename","configuration","rate","time"');
    // The subjects of a configuration run one right after the other, in drawn order.
    const pairs = [rows.slice(0, 2), rows.slice(2, 4), rows.slice(4, 6), rows.slice(6)];
    const expected = [1, 2, 1, 2].map((n) => [row('new', n), row('old', n)]);
    expect(pairs.map((pair) => pair.sort())).toEqual(expected);
  });

  it('runs every configuration as short as possible, and lists at the end which failed', async () => {
    const parameters = '{ type: ["x", "y"], size: 7, n: [100, 1000], dur: [5] }';
    const failing = "if (conf.type === 'y') throw new Error('no'); bench.start(); bench.end(conf.n);";
    using suite = nodeCoreSuite({
      'g/a.js': script(parameters, failing),
      'g/b.js': script('{ n: 100 }'),
      'g/c.js': 'throw new Error("no");',
    });
    const args = ['run', '--format', 'csv', '--shortest', 'g'];
    const { stdout, stderr, exitCode } = await bench(suite.directory, ...args);
    expect(stdout.split('\n').map((row) => row.split(', ').slice(0, 2).join())).toEqual([
      '"filename","configuration"',
      '"g/a.js","dur=0.1 n=1 size=7 type=""x"""',
      '"g/b.js","n=1"',
    ]);
    expect(exitCode).toBe(1);
    const [, list = ''] = stderr.split(/^failed: 1 of 3 runs failed.*\n/m);
    expect(list.split('\n').map((line) => line.trim())).toEqual([
      'g/c.js',
      "g/a.js dur=0.1 n=1 size=7 type='y'",
    ]);
    const set = await bench(suite.directory, ...args, '--set', 'n=3', '--filter', 'b');
    expect(set.stdout).toContain('"g/b.js", "n=3"');
  });

  it('runs a file from another directory, and in test mode', async () => {
    using suite = nodeCoreSuite({ 'g/a.js': script('{ type: ["x", "y"], n: 100 }') });
    const file = join(suite.directory, 'benchmark/g/a.js');
    const { stdout } = await bench(tmpdir(), 'run', '--format', 'csv', file, 'test');
    expect(stdout.split('\n')[1]).toMatch(/^"g\/a\.js", "n=1 type=""x""", /);
    expect(stdout.split('\n')).toHaveLength(2);
  });

  it('warns if it cannot plan a script, and runs it whole', async () => {
    const alone = `require('../common.js').sendResult({ type: 'report', name: 'g/a.js', conf: {}, rate: 1, time: '1.0' });`;
    using suite = nodeCoreSuite({ 'g/a.js': alone });
    const { stderr, stdout } = await bench(suite.directory, 'run', '--format', 'csv', 'g');
    expect(stderr).toMatch(/^warning: g\/a\.js: .*createBenchmark.*$/);
    expect(stdout).toContain('"g/a.js", "", 1, 1.0');
  });
});
