import { readFileSync, writeFileSync } from 'node:fs';
import { readRecording } from '@bench-cli/results/recording';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { endedWith, usageError } from '../../../test/support/error-with.ts';
import { namedSubjectWords, noisySuite } from '../../../test/support/noisy-suite.ts';
import { expectPinned, sentencesOf, withoutSentences } from '../../../test/support/pinned-text.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const names = ['base', 'fast', 'same'];
const rates = {
  apart: { ratio: { base: 1, fast: 1.5, same: 1 }, noise: 0.015 },
  close: { ratio: { base: 1, fast: 1.5, same: 1.5 }, noise: 0.003 },
};

const bench = (...args: string[]) => benchCli(args, { cwd: suite.directory, scripted: suite.scripted });

/** Compares all subjects, and records the session in the file. */
const compare = (out: string, ...args: string[]) =>
  bench('compare', '--out', out, ...namedSubjectWords(out, names), ...args, 'g');

/** The cells of the lines of a table that begin with a benchmark. */
const rowsOf = (table: string) =>
  table
    .split('\n')
    .filter((line) => line.startsWith('g/'))
    .map((line) => line.trim().split(/ {2,}/));

const suite = untilEnd(noisySuite(rates));

beforeAll(async () => {
  const { exitCode, stdout } = await compare('fixed.jsonl', '--runs', '8', '--format', 'csv');
  expect(exitCode).toBe(0);
  writeFileSync(suite.path('fixed.csv'), stdout);
});

describe('compare with three subjects', () => {
  it('prints the runs of a file by configuration and subject, whatever the order of the runs', async () => {
    const linesOf = (text: string) => text.trim().split('\n');
    const { stdout } = await bench('analyze', 'fixed.jsonl', '--format', 'csv');
    const [streamed, ordered] = [linesOf(readFileSync(suite.path('fixed.csv'), 'utf8')), linesOf(stdout)];
    expect(ordered.toSorted()).toEqual(streamed.toSorted());
    const groups = ordered.map((line) => line.split(',').slice(0, 4).join());
    // Each group of equal lines stands once.
    expect(groups.filter((group, at) => group !== groups[at - 1])).toHaveLength(new Set(groups).size);
  });

  it('prints a CSV with their names, which analyze reads like the results file', async () => {
    const [header, ...rows] = readFileSync(suite.path('fixed.csv'), 'utf8').split('\n');
    expect(header).toBe('"binary","subject","filename","configuration","rate","time"');
    expect(rows.filter((row) => row.startsWith('"old","base","g/0.js","'))).toHaveLength(16);
    const ofFile = await bench('analyze', 'fixed.jsonl');
    const ofCsv = await bench('analyze', 'fixed.csv');
    expect(rowsOf(ofCsv.stdout)).toEqual(rowsOf(ofFile.stdout));
  });

  it('shows each with its letters, in tables, Markdown and JSON', async () => {
    const [rates, table, markdown] = await Promise.all(
      ['rates', 'table', 'markdown'].map((format) => bench('analyze', '--format', format, 'fixed.jsonl')),
    );
    expect(markdown?.stdout).toMatch(/^\| .* \| Tied \|$/m);
    expect(markdown?.stdout).toMatch(/kind='apart'` \| `same` \|.*\| a\s\(a\) \|$/m);
    const { stdout } = await bench('analyze', '--format', 'json', 'fixed.jsonl');
    const document = comparisonDocument(stdout);
    const [rows = ''] = rates?.stdout.split(/(?<=\n)\n/) ?? [];
    expectPinned('several-subjects', withoutSentences(`${rows}\n${table?.stdout}`, sentencesOf(document)));
    expect(document.subjects?.map(({ name }) => name)).toEqual(names);
    expect(document).not.toHaveProperty('oldName');
    expect(document.comparisons).toMatchObject([
      { baseline: 'base', subject: 'fast', verdict: 'faster', ties: [['base', 'same']] },
      { baseline: 'base', subject: 'same', verdict: 'no difference' },
      { baseline: 'base', subject: 'fast', verdict: 'faster', ties: [['fast', 'same']] },
      { baseline: 'base', subject: 'same', verdict: 'faster' },
    ]);
  });
});

describe('--subject', () => {
  const node = process.execPath;
  it.each([
    ['once', [node], 'USAGE', '--subject'],
    ['with --old', [node, node, '--old', node], 'USAGE', '--old'],
    ['with --new', [node, node, '--new', node], 'USAGE', '--new'],
    ['twice without names', [node, node], 'SUBJECT', `"Node.js ${process.versions.node}"`],
    ['twice with one name', [`x=${node}`, `x=${node},flags=--no-opt`], 'SUBJECT', '"x"'],
  ])('%s is refused', async (_, [first = '', second, ...others], code, value) => {
    const subjects = ['--subject', first, ...(second === undefined ? [] : ['--subject', second]), ...others];
    expect(await bench('compare', ...subjects, 'g')).toEqual(usageError(code, value));
  });

  it('gives two subjects their names, and the CSV of Node core', async () => {
    const runtime = process.execPath;
    const subjects = Object.entries({ a: 'base', b: 'fast' }).flatMap(([name, its]) => [
      '--subject',
      `${name}=${runtime},env=SUBJECT=${its},env=RECORDING=two.jsonl`,
    ]);
    const words = '--runs 6 --format csv --out two.jsonl g'.split(' ');
    const { stdout } = await bench('compare', ...subjects, ...words);
    expect(stdout.split('\n')[0]).toBe('"binary","filename","configuration","rate","time"');
    expect(stdout).toMatch(/^"old","g\/0\.js"/m);
    const { stdout: table } = await bench('analyze', 'two.jsonl', '--html', 'two.html', '--plot', 'two.svg');
    expect(table).toMatch(/^ +a +b +ratio .*\nb is faster than a /s);
    expect((await bench('analyze', 'two.jsonl', '--format', 'markdown')).stdout).toContain('| `a` | `b` |');
    expect(readFileSync(suite.path('two.svg'), 'utf8')).toContain('compared with the median of a ');
    const page = readFileSync(suite.path('two.html'), 'utf8');
    expect(page).toContain(`--subject a=${runtime},env=SUBJECT,env=RECORDING --subject `);
  });
});

it.each([
  ['run --runs 2', 'a', ['b', 'c']],
  ['compare --runs auto --max-runs 8', 'c', ['a', 'b']],
  // Nothing can be compared without the baseline.
  ['compare --runs 2', 'a', []],
])('%s: a benchmark that cannot load under %s is measured under %j', async (command, bad, expected) => {
  const source =
    "if (process.env['BAD']) throw new Error('no'); createBenchmark((_, bench) => bench.report(5, 2n), {});";
  using other = temporarySuite({ 'g/a.js': `import { createBenchmark } from '@bench-cli/core';\n${source}` });
  const words = ['a', 'b', 'c'].flatMap((name) => [
    '--subject',
    `${name}=node,env=SIDE=${name},env=BAD=${name === bad ? 1 : ''}`,
  ]);
  const out = other.path('out.jsonl');
  const options = { cwd: other.directory, scripted: anyRates() };
  const ran = await benchCli([...command.split(' '), ...words, '--out', out, 'g'], options);
  expect(ran).toEqual(endedWith(1, `failed: g/a.js (${bad}): could not be planned: `, 'no'));
  expect([...new Set(readRecording(out).runs.map(({ subject }) => subject))].sort()).toEqual(expected);
  if (command.startsWith('compare') && expected.length > 0)
    expect(await benchCli(['analyze', '--fail-on', 'slower', out])).toEqual(endedWith(1, 'g/a.js', bad));
});
