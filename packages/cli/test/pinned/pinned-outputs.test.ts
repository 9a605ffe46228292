/**
 * Pins what the command prints and writes, byte by byte: one text for each format and method. What else options and inputs change
 * is asserted by values in other tests.
 *
 * Sentences that stand in several texts are pinned once: what a method is and what a warning says with the tables. In other texts,
 * their names are in their place. The summary of a comparison is specified in verdict-sentence.test.ts of report.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
import { scriptedRates } from '../../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../../test/support/suite.ts';
import { untilEnd } from '../../../../test/support/until-end.ts';

type Case = [
  name: string,
  /** Commands, in their order. NODE is this Node.js. */
  commands: readonly string[],
  /** The output that is pinned. Default: the file that a command writes, the figures of a JSON, or both outputs. */
  shows?: 'stdout' | 'stderr',
];

const axes = '--xaxis len --group-by encoding';
const subjects = '--old NODE,env=SUBJECT=old --new NODE,env=SUBJECT=new';

/** Each text, and what prints it. Those of `live` are sessions of a benchmark with fixed rates. */
const cases: Case[] = [
  ['fixed/json', ['analyze --format json fixed.jsonl']],
  ['sequential/json', ['analyze --format json sequential.jsonl']],
  ['edges/json', ['analyze --format json edges.csv']],
  ['http/json', ['analyze --format json http.jsonl']],
  ['fixed/table', ['analyze --format table fixed.jsonl']],
  ['fixed/rates', ['analyze fixed.jsonl']],
  ['fixed/markdown', ['analyze --format markdown fixed.jsonl']],
  ['fixed/gate', ['analyze --fail-on slower --fail-on faster>1% fixed.jsonl'], 'stderr'],
  ['fixed/bar', ['analyze --format bars --where len=16 fixed.jsonl']],
  ['fixed/page', ['analyze fixed.jsonl --html page.html']],
  ['plots/box', ['analyze --where encoding=ascii --plot plot.svg fixed.jsonl']],
  ['plots/bar', ['analyze --format bars --where encoding=ascii --plot plot.svg fixed.jsonl']],
  ['plots/scatter', [`analyze ${axes} --log --plot plot.svg scatter.jsonl`]],
  ['sequential/table', ['analyze --format table sequential.jsonl']],
  ['sequential/rates', ['analyze sequential.jsonl'], 'stdout'],
  ['sequential/markdown', ['analyze --format markdown sequential.jsonl'], 'stdout'],
  ['sequential/gate', ['analyze --fail-on slower>=1% sequential.jsonl'], 'stderr'],
  ['sequential/page', ['analyze sequential.jsonl --html page.html']],
  ['edges/table', ['analyze --format table edges.csv']],
  ['http/metrics', ['analyze http.jsonl']],
  ['scatter/table', [`analyze ${axes} scatter.jsonl`]],
  ['joined', ['analyze shard-1.jsonl shard-2.jsonl --out joined.jsonl'], 'stderr'],
  ['live/compare', [`compare ${subjects} --runs 2 --format csv --out compare.jsonl compare`]],
  [
    'live/run',
    [
      'run --runs 2 --format simple --out run.jsonl run',
      'run --resume run.jsonl --format table',
      'run --resume run.jsonl --format csv',
    ],
  ],
  [
    'live/run-auto',
    [
      'run --runs auto --max-runs 8 --format simple --out auto.jsonl auto',
      'run --resume auto.jsonl --format table',
    ],
  ],
  ['live/scatter', ['scatter --runs 1 --out scatter-live.jsonl scatter/rates.js']],
];

/** The texts that other tests of this package pin. */
const others = ['bisect', 'history', 'several-subjects'];

const source = benchmark(`{ kind: ["it's", 'b'], len: [1, 16], n: 1e3 }`, "throw new Error('too long');");

/** The runs so far of each case and subject. */
const counts = new Map<string, number>();
/** A rate depends on the configuration, the subject, and how many runs of these there were before. */
const scripted = scriptedRates(({ benchmark: name, configuration: { kind, len }, env: { SUBJECT } }) => {
  const key = [name, SUBJECT, kind, len].join();
  const runs = (counts.get(key) ?? 0) + 1;
  counts.set(key, runs);
  const isNew = SUBJECT === 'new';
  // A process fails.
  if (kind === 'b' && len === 16 && isNew && runs === 1) return undefined;
  const ratio = !isNew ? 1 : kind === 'b' ? 1.25 : 1.001;
  const rate = (1e6 / Number(len)) * ratio * (1 + ((runs * 7 + Number(isNew)) % 5) / 1000);
  return { rate, time: '0.001000000' };
});

const groups = ['compare', 'run', 'auto', 'scatter'];
const suite = untilEnd(
  recordedInputs(Object.fromEntries(groups.map((group) => [`benchmarks/${group}/rates.js`, source]))),
);

it.each<Case>(cases)('pins %s', async (name, commands, shows) => {
  const texts: string[] = [];
  for (const command of commands) texts.push(await commandText(command, shows));
  const text = texts.join('\n').replaceAll(suite.directory, '/suite').replaceAll(process.execPath, '/node');
  expectPinned(name, withoutSentences(text, await otherSentences(name, commands)));
});

it('has an expected text for each case, and no other', () => {
  const files = readdirSync(pinnedTexts, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.txt'),
  );
  const names = [...others, ...cases.map(([name]) => name)];
  expect(files.sort()).toEqual(names.map((name) => `${name}.txt`).sort());
});

it.each(['fixed', 'sequential'])('names a page of the docs that explains the method: %s', async (method) => {
  const { stdout } = await benchCli(['analyze', '--format', 'rates', `${method}.jsonl`], {
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
async function commandText(command: string, shows: Case[2]): Promise<string> {
  const args = command.split(' ').map((word) => word.replace('NODE', process.execPath));
  const { stdout, stderr, exitCode } = await benchCli(args, { cwd: suite.directory, scripted });
  const words = args.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
  const head = `$ bench-cli ${words.join(' ')}\nexit code ${exitCode}\n`;
  if (command.includes('--format json')) return `${head}${figuresText(stdout)}`;
  const [file] = /page\.html|plot\.svg/.exec(command) ?? [];
  if (file !== undefined) return `${head}${section(file, writtenText(file))}`;
  const outputs = Object.entries({ stdout, stderr }).filter(
    ([name]) => shows === undefined || shows === name,
  );
  return [head, ...outputs.map(([name, text]) => section(name, withSortedRows(text)))].join('');
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
async function otherSentences(name: string, [command = '']: readonly string[]): Promise<Sentences> {
  const [file] = /(?<= )(?:fixed|sequential|http|edges)\.\w+/.exec(command) ?? [];
  if (file === undefined) return [];
  const { stdout } = await benchCli(['analyze', '--format', 'json', file], { cwd: suite.directory });
  const sentences = sentencesOf(comparisonDocument(stdout));
  return name.endsWith('/table') ? sentences.slice(0, 1) : sentences;
}
