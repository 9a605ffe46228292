import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../../test/support/command.ts';
import { usageError } from '../../../../test/support/error-with.ts';
import { readLines, writeLines } from '../../../../test/support/recording.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../../test/support/suite.ts';

/** Ten pairs of rates around a speed of the machine, with the new subject faster by a fraction. */
function csvOf(speed: number, gain: number, benchmarks: readonly string[] = ['g/a.js', 'g/b.js']): string {
  const rows = benchmarks.flatMap((name) =>
    Array.from({ length: 10 }, (_, run) => {
      const noise = 1 + (((run * 7) % 10) - 4.5) / 100;
      return [
        `"old","${name}","n=1",${speed * noise},0.1`,
        `"new","${name}","n=1",${speed * (1 + gain) * noise},0.1`,
      ];
    }).flat(),
  );
  return ['"binary","filename","configuration","rate","time"', ...rows, ''].join('\n');
}

let files: TemporarySuite;
beforeAll(async () => {
  files = temporarySuite({
    'linux.csv': csvOf(1000, 0.1),
    'mac.csv': csvOf(9000, 0.1, ['g/a.js']),
    'slower.csv': csvOf(9000, -0.1),
    'both.csv': csvOf(1000, 0.1) + csvOf(9000, 0.1).split('\n').slice(1).join('\n'),
    'benchmarks/g/a.ts': benchmark('{ n: 1 }', 'bench.report(1000 + process.pid % 9, 10_000_000n);'),
  });
  const measure = (out: string, ...options: string[]) =>
    benchCli(['compare', ...sameSubjects, ...options, '--out', out, 'g'], { cwd: files.directory });
  await measure('one.jsonl', '--runs', '3');
  await measure('two.jsonl', '--runs', '3');
  await measure('more.jsonl', '--runs', '4');
});
afterAll(() => files[Symbol.dispose]());

const compare = (...args: string[]) => benchCli(['analyze', ...args], { cwd: files.directory });
const figures = async (...args: string[]) => {
  const { stdout, stderr } = await compare('--format', 'json', ...args);
  const { comparisons } = JSON.parse(stdout);
  return { stderr, judgements: comparisons };
};

describe('analyze with several machines', () => {
  it('compares within each machine, so that the difference between them is no noise', async () => {
    const { judgements, stderr } = await figures('linux=linux.csv', 'mac=mac.csv');
    const [a, b] = judgements;
    expect(a).toMatchObject({ benchmark: 'g/a.js', method: 'stratified', verdict: 'faster' });
    expect(a.machines).toHaveLength(2);
    expect(a.improvement).toBeCloseTo(0.1, 10);
    expect(b).toMatchObject({ benchmark: 'g/b.js', method: 'fixed', verdict: 'faster' });
    expect(stderr).toMatch(/^warning: mac .*: g\/b\.js n=1\n$/);
    // The same rates in one sample.
    const together = (await figures('both.csv')).judgements[0];
    expect(together).toMatchObject({ method: 'fixed', verdict: 'undecided' });
  });

  it('joins results files of one command, and says where machines disagree', async () => {
    const { judgements, stderr } = await figures('one.jsonl', 'two.jsonl');
    expect(stderr).toBe('');
    expect(judgements[0].machines).toHaveLength(2);
    const contrary = JSON.parse((await compare('--format', 'json', 'linux.csv', 'slower.csv')).stdout);
    expect(contrary.warnings).toMatchObject([{ kind: 'machines-disagree' }]);
  });

  it('names configurations of which only some rounds were measured in turns', async () => {
    const turned = (isTurned: (round: number) => boolean) =>
      readLines(files.path('two.jsonl')).map((line) =>
        line.type === 'run' && isTurned(line.round) ? { ...line, inTurns: true as const } : line,
      );
    writeLines(
      files.path('turned.jsonl'),
      turned(() => true),
    );
    // As a session that was continued where processes cannot take turns.
    writeLines(
      files.path('continued.jsonl'),
      turned((round) => round < 2),
    );
    for (const names of [['one.jsonl', 'turned.jsonl'], ['continued.jsonl']])
      expect(JSON.parse((await compare('--format', 'json', ...names)).stdout).warnings).toContainEqual(
        expect.objectContaining({ kind: 'mixed-turns', names: ['g/a.ts n=1'] }),
      );
    expect((await compare('turned.jsonl')).stderr).not.toContain('in turns');
    expect((await compare('continued.jsonl')).stderr).toContain('in turns');
  });

  it('refuses a file or name that is given twice, files of different commands or kinds, and a missing file', async () => {
    expect(await compare('linux.csv', './linux.csv')).toMatchObject(
      usageError('JOIN_DUPLICATE', 'linux.csv'),
    );
    expect(await compare('a=linux.csv', 'a=mac.csv')).toMatchObject(usageError('JOIN_DUPLICATE', ' a'));
    expect(await compare('one.jsonl', 'more.jsonl')).toMatchObject(
      usageError('JOIN_MISMATCH', 'more.jsonl', '--runs'),
    );
    expect(await compare('linux.csv', 'two.jsonl')).toMatchObject(
      usageError('JOIN_UNSUPPORTED', 'linux.csv'),
    );
    expect(await compare('linux.csv', 'missing.csv')).toMatchObject(
      usageError('FILE_NOT_FOUND', 'missing.csv'),
    );
  });
});
