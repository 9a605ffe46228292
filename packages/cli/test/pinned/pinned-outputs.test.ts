/**
 * Pins what the command prints and writes, byte by byte: one text for each format and method. What else options and inputs change
 * is asserted by values in other tests.
 *
 * Sentences that stand in several texts are pinned once: what a method is and what a warning says with the tables. In other texts,
 * their names are in their place. The summary of a comparison is specified in verdict-sentence.test.ts of report.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchCli, root } from '../../../../test/support/command.ts';
import { comparisonDocument } from '../../../../test/support/comparison-document.ts';
import {
  expectPinned,
  pinnedTexts,
  type Sentences,
  sentencesOf,
  withoutSentences,
} from '../../../../test/support/pinned-text.ts';
import { recordedInputs } from '../../../../test/support/recorded-inputs.ts';
import { pageText } from '../../../../test/support/report-page.ts';
import { benchmark, type TemporarySuite } from '../../../../test/support/suite.ts';

interface Case {
  /** The name of the text. */
  readonly name: string;
  /** Commands, which run in this order. */
  readonly commands: readonly (readonly string[])[];
  /** The output that is pinned, the figures of a JSON, or the file that the commands write; default: both outputs. */
  readonly shows?: 'stdout' | 'stderr' | 'figures' | 'page.html' | 'plot.svg';
}

const compare = (...args: string[]) => ['analyze', ...args];
const table = (...args: string[]) => ['analyze', '--format', 'table', ...args];
const axes = ['--xaxis', 'len', '--category', 'encoding'];

const fixed = 'fixed.jsonl';
const sequential = 'sequential.jsonl';

const analyses: readonly Case[] = [
  ...['fixed.jsonl', 'sequential.jsonl', 'edges.csv', 'http.jsonl'].map(
    (file): Case => ({
      name: file.replace(/\..*/, '/json'),
      commands: [compare('--format', 'json', file)],
      shows: 'figures',
    }),
  ),
  { name: 'fixed/table', commands: [table(fixed)] },
  { name: 'fixed/rates', commands: [compare(fixed)] },
  { name: 'fixed/markdown', commands: [compare('--format', 'markdown', fixed)] },
  {
    name: 'fixed/gate',
    commands: [compare('--fail-on', 'slower', '--fail-on', 'faster>1%', fixed)],
    shows: 'stderr',
  },
  {
    name: 'fixed/bar',
    commands: [['analyze', '--format', 'bars', '--where', 'len=16', fixed]],
  },
  { name: 'fixed/page', commands: [['analyze', fixed, '--html', 'page.html']], shows: 'page.html' },
  {
    name: 'plots/box',
    commands: [compare('--where', 'encoding=ascii', '--plot', 'plot.svg', fixed)],
    shows: 'plot.svg',
  },
  {
    name: 'plots/bar',
    commands: [['analyze', '--format', 'bars', '--where', 'encoding=ascii', '--plot', 'plot.svg', fixed]],
    shows: 'plot.svg',
  },
  {
    name: 'plots/scatter',
    commands: [['analyze', ...axes, '--log', '--plot', 'plot.svg', 'scatter.jsonl']],
    shows: 'plot.svg',
  },
  { name: 'sequential/table', commands: [table(sequential)] },
  { name: 'sequential/rates', commands: [compare(sequential)], shows: 'stdout' },
  { name: 'sequential/markdown', commands: [compare('--format', 'markdown', sequential)], shows: 'stdout' },
  {
    name: 'sequential/gate',
    commands: [compare('--fail-on', 'slower>=1%', sequential)],
    shows: 'stderr',
  },
  { name: 'sequential/page', commands: [['analyze', sequential, '--html', 'page.html']], shows: 'page.html' },
  { name: 'edges/table', commands: [table('edges.csv')] },
  { name: 'http/metrics', commands: [compare('http.jsonl')] },
  { name: 'scatter/table', commands: [['analyze', ...axes, 'scatter.jsonl']] },
  {
    name: 'joined',
    commands: [['analyze', 'shard-1.jsonl', 'shard-2.jsonl', '--out', 'joined.jsonl']],
    shows: 'stderr',
  },
];

const subjects = [
  ...['--old', `${process.execPath},env=SUBJECT=old`],
  ...['--new', `${process.execPath},env=SUBJECT=new`],
];

/** Sessions of a benchmark with fixed rates. */
const sessions: readonly Case[] = [
  {
    name: 'live/compare',
    commands: [
      ['compare', ...subjects, '--runs', '2', '--format', 'csv', '--out', 'compare.jsonl', 'compare'],
    ],
  },
  {
    name: 'live/run',
    commands: [
      ['run', '--runs', '2', '--format', 'simple', '--out', 'run.jsonl', 'run'],
      ['run', '--resume', 'run.jsonl', '--format', 'table'],
      ['run', '--resume', 'run.jsonl', '--format', 'csv'],
    ],
  },
  {
    name: 'live/run-auto',
    commands: [
      ['run', '--runs', 'auto', '--max-runs', '8', '--format', 'simple', '--out', 'auto.jsonl', 'auto'],
      ['run', '--resume', 'auto.jsonl', '--format', 'table'],
    ],
  },
  {
    name: 'live/scatter',
    commands: [['scatter', '--runs', '1', '--out', 'scatter-live.jsonl', 'scatter/rates.js']],
  },
];

/** The texts that other tests of this package pin. */
const others = ['bisect', 'history', 'several-subjects'];

const cases = [...analyses, ...sessions];

/** A rate depends on the configuration, the subject, and how many runs of these there were before. */
const rates = benchmark(
  `{ kind: ["it's", 'b'], len: [1, 16], n: 1e3 }`,
  `const { kind, len } = conf;
  const isNew = process.env.SUBJECT === 'new';
  const file = join(import.meta.dirname, ['_runs', process.env.SUBJECT, kind, len].join());
  appendFileSync(file, '.');
  const runs = statSync(file).size;
  if (kind === 'b' && len === 16 && isNew && runs === 1) throw new Error('too long');
  const ratio = isNew ? { b: 1.25 }[kind] ?? 1.001 : 1;
  bench.report((1e6 / len) * ratio * (1 + ((runs * 7 + isNew) % 5) / 1000), 1000000n);`,
  { head: `import { appendFileSync, statSync } from 'node:fs';\nimport { join } from 'node:path';` },
);

let suite: TemporarySuite;

beforeAll(() => {
  const groups = ['compare', 'run', 'auto', 'scatter'];
  suite = recordedInputs(Object.fromEntries(groups.map((group) => [`benchmarks/${group}/rates.js`, rates])));
});

afterAll(() => suite[Symbol.dispose]());

it.each(cases)('pins $name', async (of) => {
  const { name, commands, shows } = of;
  const texts: string[] = [];
  for (const words of commands) texts.push(await commandText(words, shows));
  const text = texts.join('\n').replaceAll(suite.directory, '/suite').replaceAll(process.execPath, '/node');
  expectPinned(name, withoutSentences(text, await otherSentences(of)));
});

it('has an expected text for each case, and no other', () => {
  const files = readdirSync(pinnedTexts, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.txt'),
  );
  const names = [...others, ...cases.map(({ name }) => name)];
  expect(files.sort()).toEqual(names.map((name) => `${name}.txt`).sort());
});

it.each(['fixed', 'sequential'])('names a page of the docs that explains the method: %s', async (method) => {
  const { stdout } = await benchCli(compare('--format', 'rates', `${method}.jsonl`), {
    cwd: suite.directory,
  });
  const [, page = '?'] = /\(see "(.+)" in the docs\)/.exec(stdout.replaceAll(/\s+/g, ' ')) ?? [];
  const docs = join(root, 'docs');
  const titles = readdirSync(docs).flatMap((name) =>
    name.endsWith('.md') ? readFileSync(join(docs, name), 'utf8').split('\n', 1) : [],
  );
  expect(titles.filter((title) => title.startsWith(`# ${page}`))).toHaveLength(1);
});

/** A command with what it printed or wrote, and its exit code. */
async function commandText(args: readonly string[], shows: Case['shows']): Promise<string> {
  const { stdout, stderr, exitCode } = await benchCli(args, { cwd: suite.directory });
  const words = args.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
  const command = `$ bench-cli ${words.join(' ')}\nexit code ${exitCode}\n`;
  const outputs = Object.entries({ stdout, stderr }).filter(
    ([name]) => shows === undefined || shows === name,
  );
  if (shows === 'figures') return `${command}${figuresText(stdout)}`;
  const written = shows?.includes('.') ? [section(shows, writtenText(shows))] : [];
  return [command, ...outputs.map(([name, text]) => section(name, withSortedRows(text))), ...written].join(
    '',
  );
}

/** The figures of a JSON with five digits, a line for each comparison. Other texts have its sentences. */
function figuresText(json: string): string {
  const { comparisons, metrics = [], methods: _, ...all } = comparisonDocument(json);
  const ofMetrics = metrics.flatMap(({ comparisons: compared, ...metric }) => [metric, ...compared]);
  const shown = (key: string, value: unknown) => {
    if (key === 'summary' || key === 'message') return undefined;
    return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
  };
  return [all, ...comparisons, ...ofMetrics].map((line) => `${JSON.stringify(line, shown)}\n`).join('');
}

/** The rows of two subjects have a drawn order. */
function withSortedRows(text: string): string {
  const sorted = (rows: string) => `${rows.trimEnd().split('\n').sort().join('\n')}\n`;
  return text.replace(/(?:^"(?:old|new)",.*\n)+/gm, sorted);
}

/** A part of an expected text; a missing line end is visible. */
function section(title: string, text: string): string {
  if (text === '') return '';
  return `--- ${title} ---\n${text}${text.endsWith('\n') ? '' : '\n--- no line end ---\n'}`;
}

/** A picture, or what can be read on a page without JavaScript. */
function writtenText(file: string): string {
  const text = readFileSync(suite.path(file), 'utf8');
  return file.endsWith('.html') ? pageText(text) : text;
}

/** The sentences that other texts pin, of the results that a case shows. */
async function otherSentences({ name, commands }: Case): Promise<Sentences> {
  const file = commands[0]?.findLast((word) => /^(fixed|sequential|http|edges)\./.test(word));
  if (file === undefined) return [];
  const { stdout } = await benchCli(compare('--format', 'json', file), { cwd: suite.directory });
  const sentences = sentencesOf(comparisonDocument(stdout));
  return name.endsWith('/table') ? sentences.slice(0, 1) : sentences;
}
