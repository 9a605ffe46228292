import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandIo } from '../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { run } from '../src/main.ts';

let suite: TemporarySuite;

beforeAll(() => {
  const values = "{ method: ['a method with a long name', 'another long name'], len: [1, 16], n: 5 }";
  suite = temporarySuite({
    'benchmarks/g/a.js': benchmark(values, 'bench.report(1e9 / conf.len, 1n);'),
    'benchmarks/g/one.js': benchmark('{ n: 5 }', 'bench.report(1e9, 1n);'),
  });
});

afterAll(() => suite[Symbol.dispose]());

async function scatter(file: string, columns?: number) {
  const { io, stdout, stderr } = commandIo(
    { cwd: suite.directory, env: { ...process.env, NO_COLOR: '1' } },
    columns === undefined ? undefined : { columns },
  );
  const exitCode = await run(
    ['scatter', '--runs', '2', '--no-progress', '--out', `${columns}-${basename(file)}.jsonl`, file],
    io,
  );
  return { exitCode, stdout: stdout(), stderr: stderr() };
}

describe('scatter', () => {
  it.each([60, 80, 120])(
    'prints a table that fits a terminal of %i columns, and the next command',
    async (columns) => {
      const { exitCode, stdout, stderr } = await scatter('g/a.js', columns);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/ops\/s/);
      expect(stdout).not.toContain('"filename"');
      expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
      expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/bench-cli analyze --xaxis len \S+\.jsonl $/);
    },
  );

  it('names no command where no parameter varies', async () => {
    const { stdout, stderr } = await scatter('g/one.js', 80);
    expect(stdout).toMatch(/ops\/s/);
    expect(stderr).not.toContain('--xaxis');
  });

  it('prints each run as CSV to what is no terminal', async () => {
    const { stdout } = await scatter('g/a.js');
    expect(stdout).toMatch(/^"filename", "n", "len", "method", "rate", "time"\n("g\/a\.js", 5, .*\n){8}$/);
  });
});
