import { readFileSync } from 'node:fs';
import { readRecording } from '@bench-cli/results/recording';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { startUpSuite } from '../../../test/support/start-up-suite.ts';
import type { TemporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;
let shown: string;

const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });
const compare = (...args: string[]) => {
  const subjects = ['old', 'new'].flatMap((name) => [
    '--subject',
    `${name}=./quick-node,env=SUBJECT=${name}`,
  ]);
  return run('compare', '--suite', '.', ...subjects, '--runs', '8', '--no-progress', ...args, 'g/a.js');
};

beforeAll(async () => {
  suite = startUpSuite();
  ({ stdout: shown } = await compare('--format', 'rates', '--out', 'r.jsonl'));
});

afterAll(() => suite[Symbol.dispose]());

describe('a comparison', () => {
  it('says beside each difference, and in words, how much of it is start-up', () => {
    expect(shown).toMatch(/^ +kind=start .* slower: start-up/m);
    expect(shown).toMatch(/^ +kind=final .* slower: final speed/m);
    const text = shown.replaceAll('\n', ' ');
    expect(text).toContain(
      "n=1000 kind='start': slower by at least 50 % at n=1000, of which 100 % is start-up; later operations: undecided;",
    );
    expect(text).toContain('of which 0 % is start-up; later operations: slower by 80 %;');
  });

  it('is shown alike from its file, in all formats', async () => {
    const analyze = async (format: string) => (await run('analyze', '--format', format, 'r.jsonl')).stdout;
    expect(await analyze('rates')).toBe(shown);
    expect(await analyze('markdown')).toMatch(
      /\| Difference in \|\n.*\n.*\| final speed \|\n.*\| start-up \|\n/,
    );
    const { comparisons } = comparisonDocument(await analyze('json'));
    expect(comparisons.map(({ startUp }) => startUp)).toMatchObject([
      { label: 'final speed', share: 0, later: { survives: true } },
      undefined,
      { label: 'start-up', share: 1, old: 0.5, later: { survives: false } },
    ]);
    await run('analyze', '--html', 'r.html', 'r.jsonl');
    expect(readFileSync(suite.path('r.html'), 'utf8')).toContain('"startUp":{"label":"final speed"');
  });

  it('has no such runs in the CSV of Node core, unless they are asked for', async () => {
    const { stdout } = await compare('--format', 'csv', '--out', 'csv.jsonl');
    expect(readRecording(suite.path('csv.jsonl')).startUpRuns).toEqual([]);
    const asked = await compare('--format', 'csv', '--start-up', 'found', '--out', 'asked.jsonl');
    expect(readRecording(suite.path('asked.jsonl')).startUpRuns).toHaveLength(24);
    // The order of subjects is drawn.
    expect(asked.stdout.split('\n').sort()).toEqual(stdout.split('\n').sort());
  });
});
