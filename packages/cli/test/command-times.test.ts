import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { end, plan, run, session, writeLines } from '../../../test/support/recording.ts';
import { pageData } from '../../../test/support/report-page.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

/** Two of three runs of the old side end at once. The mean of its rates is 134 per second, its mean time 203 ms. */
const times = { old: [5, 4, 600], new: [100, 101, 99] };
const command = 'node cli.js';
const files = [{ name: command, path: command, command: ['node', 'cli.js'] }];
const [subject] = session.request.subjects;

/** The lines of a session of one command. */
function linesOf(kind: 'run' | 'compare', subjects: readonly ('old' | 'new')[]): object[] {
  const named = subjects.map((name) => ({ ...subject, name, label: name }));
  const request = { ...session.request, command: kind, files, subjects: named, runs: 12 };
  const runs = Array.from({ length: 12 }, (_, round) =>
    subjects.map((name) => {
      const durationMs = times[name][round % 3] ?? 0;
      const values = { rate: 1000 / durationMs };
      return { ...run, benchmark: command, configuration: {}, subject: name, round, durationMs, values };
    }),
  );
  const planned = { ...plan, benchmarks: [{ name: command, configurations: [{}] }] };
  return [{ ...session, request }, planned, ...runs.flat(), end];
}

const suite = sharedSuite({});

beforeAll(() => {
  writeLines(suite.path('compare.jsonl'), linesOf('compare', ['old', 'new']));
  writeLines(suite.path('run.jsonl'), linesOf('run', ['old']));
});

const outputOf = async (...words: readonly string[]) =>
  (await benchCli(words, { cwd: suite.directory })).stdout;
const analyze = (format: string, ...words: readonly string[]) =>
  outputOf('analyze', 'compare.jsonl', '--format', format, ...words);

describe('the mean of a whole command is that of its times', () => {
  it('in JSON, whose ratio is that of the mean times', async () => {
    const { comparisons } = comparisonDocument(await analyze('json'));
    expect(comparisons).toMatchObject([
      {
        verdict: 'undecided',
        ratio: { ratio: expect.closeTo(2.03, 9) },
        old: { n: 12, mean: expect.closeTo(1 / 0.203, 9) },
        times: {
          old: { n: 12, meanMs: expect.closeTo(203, 9), medianMs: 5, minMs: 4, maxMs: 600 },
          new: { meanMs: expect.closeTo(100, 9), deviationMs: expect.closeTo(Math.sqrt(8 / 11), 9) },
        },
      },
    ]);
  });

  it.each(['rates', 'bars', 'markdown'])('in --format %s', async (format) => {
    // Figures of Markdown keep with their units.
    const text = (await analyze(format)).replaceAll('\u00a0', ' ');
    expect(text).toContain('203.0 ms');
    expect(text).toContain('100.0 ms');
    expect(text).not.toContain('ops/s');
  });

  it('in exports and histories', async () => {
    expect(Object.values(JSON.parse(await analyze('bencher')))).toMatchObject([
      { throughput: { value: expect.closeTo(10, 9) } },
    ]);
    await outputOf('history', 'compare.jsonl', '--file', 'h.jsonl', '--commit', 'a', '--machine', 'm');
    await outputOf('history', 'run.jsonl', '--file', 'r.jsonl', '--commit', 'a', '--machine', 'm');
    const [ratio, rate] = ['h.jsonl', 'r.jsonl'].map(
      (file) => JSON.parse(readFileSync(suite.path(file), 'utf8')).cases[0].value,
    );
    expect(ratio).toBeCloseTo(2.03, 9);
    expect(rate).toBeCloseTo(1 / 0.203, 9);
  });

  it('in the page and in plots', async () => {
    await analyze('json', '--html', 'page.html');
    await analyze('bars', '--plot', 'plot.svg');
    const { rows } = pageData(readFileSync(suite.path('page.html'), 'utf8'));
    expect(rows).toMatchObject([{ isCommand: true, change: 1.03, newMean: 10 }]);
    expect(readFileSync(suite.path('plot.svg'), 'utf8')).toContain('203.0 → 100.0 ms');
  });

  it('in the table of run', async () => {
    const table = await outputOf('analyze', 'run.jsonl');
    expect(table).toMatch(/203\.0 +293\.2 +5\.0 +4\.0 +600\.0 +12$/m);
  });
});

describe('the values of a parameter of a whole command are ranked', () => {
  const values = { number: [1, 2, 4], text: ['a', 'b'], boolean: [true, false] };

  it.each(Object.entries(values))('if they are %s', async (kind, all) => {
    const runs = Array.from({ length: 12 }, (_, round) =>
      all.map((x, at) => {
        const durationMs = 100 * (all.length - at) + (round % 3);
        const measured = { round, durationMs, values: { rate: 1000 / durationMs } };
        return { ...run, benchmark: command, configuration: { x }, subject: 'old', ...measured };
      }),
    );
    const [started] = linesOf('run', ['old']);
    const planned = { ...plan, benchmarks: [{ name: command, configurations: all.map((x) => ({ x })) }] };
    writeLines(suite.path(`${kind}.jsonl`), [started ?? {}, planned, ...runs.flat(), end]);
    const [fastest, next] = all.toReversed();
    const { rankings } = JSON.parse(await outputOf('analyze', `${kind}.jsonl`, '--format', 'json'))
      .benchmarks[0];
    expect(rankings).toMatchObject([{ by: 'x', fastest }]);
    const shown = await outputOf('analyze', `${kind}.jsonl`);
    const below = typeof next === 'number' ? `x=${next}` : next;
    expect(shown).toMatch(new RegExp(`x=${fastest} is\\n +[\\d.]+ times as fast as ${below} `));
  });
});
