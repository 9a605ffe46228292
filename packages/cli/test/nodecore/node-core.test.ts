import { expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';

async function bench(cwd: string, ...words: readonly string[]) {
  const { stdout, stderr, exitCode } = await benchCli(words, { cwd });
  return { stdout: stdout.trimEnd(), stderr: stderr.trimEnd(), exitCode };
}

it('bench-cli with a suite of Node core runs every configuration as short as possible, and lists at the end which failed', async () => {
  const parameters = '{ type: ["x", "y"], size: 7, n: [100, 1000], dur: [5] }';
  const failing = "if (conf.type === 'y') throw new Error('no'); bench.start(); bench.end(conf.n);";
  const files = { 'g/a.js': script(parameters, failing), 'g/b.js': script('{ n: 100 }') };
  using suite = nodeCoreSuite({ ...files, 'g/c.js': 'throw new Error("no");' });
  const args = ['run', '--format', 'csv', '--shortest', 'g'];
  const { stdout, stderr, exitCode } = await bench(suite.directory, ...args);
  expect(stdout.split('\n').map((row) => row.split(', ').slice(0, 2).join())).toEqual([
    '"filename","configuration"',
    '"g/a.js","dur=0.1 n=1 size=7 type=""x"""',
    '"g/b.js","n=1"',
  ]);
  expect(exitCode).toBe(1);
  const [, list = ''] = stderr.split(/^failed: 1 of 3 runs failed.*\n/m);
  const listed = list.split('\n').map((line) => line.trim());
  expect(listed).toEqual(['g/c.js', "g/a.js dur=0.1 n=1 size=7 type='y'"]);
  const set = await bench(suite.directory, ...args, '--set', 'n=3', '--filter', 'b');
  expect(set.stdout).toContain('"g/b.js", "n=3"');
});
