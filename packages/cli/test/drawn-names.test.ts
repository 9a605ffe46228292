import { readFileSync, writeFileSync } from 'node:fs';
import { benchmarkName, displayWidth } from '@bench-cli/results';
import fc from 'fast-check';
import { marked, type Tokens } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { recordedInputs } from '../../../test/support/recorded-inputs.ts';
import { readLines, writeLines } from '../../../test/support/recording.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const controls = ['\n', '\t', '\r', '\x1b[31m', '\x9b2J', '\u202e', '\u2028', '\u200b', '\u00a0', '\u3000'];
const escapes = ['\\', '\\n', '\\x1b', '\\\\', "'", '"', '%0A', '&#60;'];
const markup = ['|', '`', '``', '<img src=x>', '</script>', ']]>', '<!--', '**', '# ', '- ', '[x](y)', '@d'];
const words = ['a', 'b', '漢', 'é', ' ', '  ', '=', ',', ' %', '$(', ' > ', '::error::', 'L'.repeat(130)];

/** Drawn once, so that each output is checked with all of them. */
const [names = []] = fc.sample(
  fc.uniqueArray(
    fc
      .array(fc.constantFrom(...controls, ...escapes, ...markup, ...words), { maxLength: 6 })
      .map((parts) => parts.join('')),
    { minLength: 60, maxLength: 60 },
  ),
  { seed: 70, numRuns: 1 },
);

/** Each name is that of a benchmark, and the value of a parameter. */
const drawn = [
  ...names.map((name) => ({
    benchmark: benchmarkName({ file: 'g/a.mjs', path: [name] }),
    configuration: {},
  })),
  ...names.map((text) => ({ benchmark: 'g/b.mjs', configuration: { text } })),
];

const suite = untilEnd(recordedInputs());

beforeAll(() => {
  const lines = readLines(suite.path('fixed.jsonl'));
  const file = (name: string) => ({ name, path: `/g/${name}` });
  // All figures are equal, so that two lines differ only by their names.
  const runs = lines.filter((line) => line.type === 'run').slice(0, 2);
  const written = (command: 'run' | 'compare') =>
    lines.flatMap((line): object[] => {
      if (line.type === 'session') {
        const { commandLine: _, ...request } = line.request;
        const subjects = command === 'run' ? request.subjects.slice(0, 1) : request.subjects;
        return [
          { ...line, request: { ...request, command, subjects, files: [file('g/a.mjs'), file('g/b.mjs')] } },
        ];
      }
      if (line.type !== 'plan') return line.type === 'end' ? [line] : [];
      const byName = Map.groupBy(drawn, ({ benchmark }) => benchmark);
      const benchmarks = Array.from(byName, ([name, cases]) => ({
        name,
        configurations: cases.map(({ configuration }) => configuration),
      }));
      const rounds = Array.from({ length: 10 }, (_, round) => round);
      const ofCommand = command === 'run' ? runs.slice(0, 1) : runs;
      return [
        { ...line, benchmarks },
        ...rounds.flatMap((round) =>
          drawn.flatMap((each) =>
            ofCommand.map((run) => ({ ...run, ...each, round, values: { rate: 1000 + round } })),
          ),
        ),
      ];
    });
  writeLines(suite.path('compare.jsonl'), written('compare'));
  writeLines(suite.path('run.jsonl'), written('run'));
});

const analyze = async (columns: number | undefined, ...args: readonly string[]) => {
  const options = { cwd: suite.directory, ...(columns && { columns }) };
  const { stdout, stderr } = await benchCli(['analyze', ...args], options);
  expect(stderr).not.toMatch(unsafe);
  return stdout;
};

/** Control characters except `\n`, and invisible and reversed text. */
const unsafe = /(?!\n)[\p{Cc}\u00a0\u200b\u2028-\u202e]/u;

/** The lines with a rate. */
const rowsOf = (text: string) => text.split('\n').filter((line) => /\d k /.test(line));

describe('drawn names', () => {
  it.each([
    ['compare.jsonl', 80],
    ['compare.jsonl', 200],
    ['run.jsonl', 80],
    ['run.jsonl', 200],
  ])('are different rows of the table of %s that fit %i columns', async (file, columns) => {
    const text = await analyze(columns, file);
    expect(text).not.toMatch(unsafe);
    expect(text.split('\n').filter((line) => displayWidth(line) > columns)).toEqual([]);
    const rows = rowsOf(text);
    expect(rows).toHaveLength(drawn.length);
    for (const group of [rows.slice(0, names.length), rows.slice(names.length)])
      expect(new Set(group).size).toBe(names.length);
  });

  it.each(['compare.jsonl', 'run.jsonl'])('are data in JSON of %s, and rows of Markdown', async (file) => {
    const json = JSON.parse(await analyze(undefined, '--format', 'json', file));
    expect(JSON.stringify(json)).toContain(
      JSON.stringify(names.find((name) => name.length > 130)).slice(1, -1),
    );
    const text = await analyze(undefined, '--format', 'markdown', file);
    expect(text.replaceAll('\u00a0', '')).not.toMatch(unsafe);
    const tables = marked.lexer(text).filter((token): token is Tokens.Table => token.type === 'table');
    const rows = tables.flatMap(({ rows }) => rows.map((cells) => cells.map(({ text }) => text).join(' | ')));
    expect(new Set(rows).size).toBe(drawn.length);
    expect(text).not.toMatch(/^(?!\||#|\*|\n|-|<)[^\n]*<img/m);
  });

  it('are the same cases in CSV', async () => {
    writeFileSync(suite.path('names.csv'), await analyze(undefined, '--format', 'csv', 'compare.jsonl'));
    const casesOf = async (file: string) =>
      JSON.parse(await analyze(undefined, '--format', 'json', file)).comparisons.map(
        ({ benchmark, configuration }: (typeof drawn)[number]) => JSON.stringify([benchmark, configuration]),
      );
    expect(new Set(await casesOf('names.csv'))).toEqual(new Set(await casesOf('compare.jsonl')));
  });

  it('are different tests of JUnit', async () => {
    const text = await analyze(undefined, '--format', 'junit', '--fail-on', 'slower>=1%', 'compare.jsonl');
    expect(text).not.toMatch(unsafe);
    const cases = Array.from(
      text.matchAll(/<testcase classname="bench-cli" name="([^<>"]*)">.*<\/testcase>/g),
    );
    expect(new Set(cases.map(([, name]) => name)).size).toBe(drawn.length);
    expect(text.match(/[<>]/g)).toHaveLength(2 * (2 * cases.length + 6));
  });

  it.each(['compare.jsonl', 'run.jsonl'])('are different texts of page and plot of %s', async (file) => {
    await analyze(undefined, '--html', 'page.html', '--plot', 'plot.svg', file);
    const [page, plot] = ['page.html', 'plot.svg'].map((name) => readFileSync(suite.path(name), 'utf8'));
    for (const text of [page, plot]) expect(text).not.toMatch(/(?!\n)[\p{Cc}\u200b\u202e]|<img|<!--/u);
    const texts = Array.from(plot?.matchAll(/<text[^>]*>([^<]*)/g) ?? [], ([, text]) => text);
    expect(new Set(texts).size).toBeGreaterThanOrEqual(drawn.length);
    const data = /<script type="application\/json" id="data">(.*)<\/script>/.exec(page ?? '')?.[1];
    const headers = Array.from(page?.matchAll(/<th scope="row"[^>]*>([^<]*)/g) ?? [], ([, name]) => name);
    const { rows = [], benchmarks = [] } = data === undefined ? {} : JSON.parse(data);
    const named = rows.map(
      (row: { benchmark: number; label: string }) => `${benchmarks[row.benchmark].name} ${row.label}`,
    );
    expect(new Set(data === undefined ? headers : named).size).toBe(drawn.length);
  });
});
