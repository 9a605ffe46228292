/**
 * Pins what the command prints and writes, byte by byte, for the recorded inputs in `inputs/` and for benchmarks with
 * fixed rates. Only the command line is used, so that the packages behind it can change.
 *
 * Each case has one text in `expected/`. To accept changed outputs, write the texts again and review their diff:
 *
 *     PIN=1 npx -y pnpm exec vitest run packages/cli/test/pinned
 *
 * Delete the texts of removed cases by hand.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchCli, root } from '../../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../../test/support/suite.ts';

interface Case {
  /** The path of the expected text, without its ending. */
  readonly name: string;
  readonly args: readonly string[];
  /** The file to give on standard input. Default: nothing. */
  readonly input?: string;
  /** Commands to run after the first one. */
  readonly further?: readonly (readonly string[])[];
  /** The file that the commands write. */
  readonly writes?: string;
}

const inputs = fileURLToPath(new URL('inputs/', import.meta.url));
const expected = fileURLToPath(new URL('expected/', import.meta.url));

/** A case whose written file is `out/<its name>.<ending>`; the arguments refer to it as `{out}`. */
function writing(name: string, ending: string, args: readonly string[], input?: string): Case {
  const writes = `out/${name}.${ending}`;
  return {
    name,
    args: args.map((word) => (word === '{out}' ? writes : word)),
    writes,
    ...(input !== undefined && { input }),
  };
}

const compare = (...args: string[]) => ['analyze', 'compare', ...args];
const bar = (...args: string[]) => ['analyze', 'bar', ...args];
const scatter = (...args: string[]) => ['analyze', 'scatter', ...args];

/** Shows a comparison in its main forms. */
function mainForms(directory: string, file: string): readonly Case[] {
  const path = `${directory}/${file}`;
  return [
    { name: `${directory}/table`, args: compare(path) },
    { name: `${directory}/json`, args: compare('--format', 'json', path) },
    writing(`${directory}/report`, 'html', ['report', path, '-o', '{out}']),
  ];
}

/** Shows a comparison in all forms. */
function allForms(directory: string, file: string, parameter: string): readonly Case[] {
  const path = `${directory}/${file}`;
  return [
    ...mainForms(directory, file),
    { name: `${directory}/rates`, args: compare('--format', 'rates', path) },
    { name: `${directory}/markdown`, args: compare('--format', 'markdown', path) },
    { name: `${directory}/columns-all`, args: compare('--columns', 'all', path) },
    { name: `${directory}/correct`, args: compare('--correct', path) },
    { name: `${directory}/check`, args: compare('--check', path) },
    { name: `${directory}/group-by`, args: compare('--group-by', parameter, path) },
    { name: `${directory}/sort-effect`, args: compare('--sort', 'effect', path) },
    { name: `${directory}/sort-p`, args: compare('--sort', 'p', path) },
    { name: `${directory}/fail-on-slower`, args: compare('--fail-on', 'slower>=5%', path) },
    { name: `${directory}/bar`, args: bar(path) },
  ];
}

const fixed: readonly Case[] = [
  ...allForms('fixed', 'compare.jsonl', 'encoding'),
  {
    name: 'fixed/markdown-correct-check',
    args: compare('--format', 'markdown', '--correct', '--check', 'fixed/compare.jsonl'),
  },
  { name: 'fixed/columns-some', args: compare('--columns', 'ratio,runs', 'fixed/compare.jsonl') },
  { name: 'fixed/group-by-two', args: compare('--group-by', 'benchmark,len', 'fixed/compare.jsonl') },
  {
    name: 'fixed/where',
    args: compare('--where', 'encoding=ascii', '--where', 'len>=1024', 'fixed/compare.jsonl'),
  },
  { name: 'fixed/where-text', args: compare('--where', 'kind!="it\'s"', 'fixed/compare.jsonl') },
  { name: 'fixed/where-nothing', args: compare('--where', 'len>5000', 'fixed/compare.jsonl') },
  { name: 'fixed/where-unknown', args: compare('--where', 'size=1', 'fixed/compare.jsonl') },
  { name: 'fixed/where-wrong', args: compare('--where', 'size', 'fixed/compare.jsonl') },
  { name: 'fixed/group-by-unknown', args: compare('--group-by', 'size', 'fixed/compare.jsonl') },
  { name: 'fixed/columns-unknown', args: compare('--columns', 'colour', 'fixed/compare.jsonl') },
  {
    name: 'fixed/columns-json',
    args: compare('--columns', 'all', '--format', 'json', 'fixed/compare.jsonl'),
  },
  { name: 'fixed/fail-on-not-crossed', args: compare('--fail-on', 'slower>20%', 'fixed/compare.jsonl') },
  {
    name: 'fixed/fail-on-two-correct',
    args: compare('--correct', '--fail-on', 'slower', '--fail-on', 'faster>1%', 'fixed/compare.jsonl'),
  },
  {
    name: 'fixed/fail-on-holm',
    args: compare('--fail-on', 'slower>=5%', 'fixed/compare.jsonl', '--correct', 'holm'),
  },
  { name: 'fixed/fail-on-wrong', args: compare('--fail-on', 'slower>=5', 'fixed/compare.jsonl') },
  { name: 'fixed/bar-where-sort', args: bar('--where', 'len=16', '--sort', 'effect', 'fixed/compare.jsonl') },
  { name: 'fixed/csv-table', args: compare('fixed/compare.csv') },
  { name: 'fixed/csv-markdown', args: compare('--format', 'markdown', 'fixed/compare.csv') },
  { name: 'fixed/csv-from-input', args: compare('--columns', 'all', '-'), input: 'fixed/compare.csv' },
  { name: 'fixed/csv-bar', args: bar('--where', 'encoding=ascii'), input: 'fixed/compare.csv' },
  writing(
    'fixed/csv-report',
    'html',
    ['report', '-o', '{out}', '--title', 'Faster <decoding>', '--where', 'encoding=utf8'],
    'fixed/compare.csv',
  ),
  { name: 'fixed/of-run-csv', args: compare('fixed/run.csv') },
  { name: 'fixed/of-run-session', args: compare('fixed/run.jsonl') },
  { name: 'fixed/of-missing-file', args: compare('fixed/none.jsonl') },
  { name: 'fixed/measured', args: compare('--format', 'json', 'fixed/measured.jsonl') },
  {
    name: 'fixed/scatter-csv',
    args: scatter('--xaxis', 'len', '--category', 'encoding', 'fixed/scatter.csv'),
  },
  {
    name: 'fixed/scatter-csv-from-input',
    args: scatter('--xaxis', 'len', '--category', 'encoding', '--where', 'n=1000'),
    input: 'fixed/scatter.csv',
  },
  {
    name: 'fixed/scatter-fit',
    args: scatter('--xaxis', 'len', '--category', 'encoding', '--fit', 'fixed/scatter.jsonl'),
  },
  {
    name: 'fixed/scatter-text-fit',
    args: scatter('--xaxis', 'encoding', '--category', 'n', '--fit', 'fixed/scatter.jsonl'),
  },
  {
    name: 'fixed/scatter-of-run-session',
    args: scatter(
      ...['--xaxis', 'len', '--category', 'encoding', '--where', 'benchmark=strings/parse.js'],
      'fixed/run.jsonl',
    ),
  },
  {
    name: 'fixed/scatter-of-two-benchmarks',
    args: scatter('--xaxis', 'len', '--category', 'encoding', 'fixed/run.jsonl'),
  },
  {
    name: 'fixed/scatter-of-compare-csv',
    args: scatter('--xaxis', 'len', '--category', 'encoding', 'fixed/compare.csv'),
  },
  {
    name: 'fixed/scatter-unknown',
    args: scatter('--xaxis', 'size', '--category', 'encoding', 'fixed/scatter.csv'),
  },
];

const plots: readonly Case[] = [
  writing(
    'plots/compare',
    'svg',
    compare('--where', 'encoding=ascii', '--plot', '{out}', 'fixed/compare.jsonl'),
  ),
  writing('plots/bar', 'svg', bar('--where', 'encoding=ascii', '--plot', '{out}', 'fixed/compare.csv')),
  writing(
    'plots/scatter',
    'svg',
    scatter('--xaxis', 'len', '--category', 'encoding', '--log', '--plot', '{out}', 'fixed/scatter.csv'),
  ),
  { name: 'plots/wrong-ending', args: bar('--plot', 'out/bar.pdf', 'fixed/compare.csv') },
];

const stratified: readonly Case[] = [
  writing('stratified/merge', 'jsonl', [
    'merge',
    ...['stratified/monday.jsonl', 'stratified/tuesday.jsonl', '--out', '{out}'],
  ]),
  ...allForms('stratified', 'both.jsonl', 'encoding'),
  { name: 'stratified/one-machine', args: compare('--columns', 'all', 'stratified/monday.jsonl') },
  {
    name: 'stratified/scatter',
    args: scatter('--xaxis', 'encoding', '--category', 'n', 'stratified/both.jsonl'),
  },
  {
    name: 'stratified/merge-twice-the-same',
    args: ['merge', 'stratified/monday.jsonl', 'stratified/monday.jsonl', '--out', 'out/none.jsonl'],
  },
  {
    name: 'stratified/merge-of-two-commands',
    args: ['merge', 'stratified/monday.jsonl', 'fixed/measured.jsonl', '--out', 'out/none.jsonl'],
  },
  {
    name: 'stratified/merge-to-existing-file',
    args: ['merge', 'stratified/monday.jsonl', '--out', 'stratified/tuesday.jsonl'],
  },
  { name: 'stratified/resume-merged', args: ['compare', '--resume', 'stratified/both.jsonl'] },
];

const shards: readonly Case[] = [
  writing('shards/merge', 'jsonl', ['merge', 'shards/2.jsonl', 'shards/1.jsonl', '--out', '{out}']),
  writing('shards/merge-run', 'jsonl', [
    'merge',
    ...['shards/run-1.jsonl', 'shards/run-2.jsonl', '--out', '{out}'],
  ]),
  { name: 'shards/merge-one', args: ['merge', 'shards/2.jsonl', '--out', 'out/none.jsonl'] },
  ...mainForms('shards', 'all.jsonl'),
  { name: 'shards/one', args: compare('shards/1.jsonl') },
  {
    name: 'shards/scatter',
    args: scatter('--xaxis', 'len', '--category', 'encoding', 'shards/run-all.jsonl'),
  },
];

const sequential: readonly Case[] = [
  ...allForms('sequential', 'compare.jsonl', 'kind'),
  {
    name: 'sequential/markdown-correct-check',
    args: compare('--format', 'markdown', '--correct', '--check', 'sequential/compare.jsonl'),
  },
  { name: 'sequential/where', args: compare('--where', 'kind=slower', 'sequential/compare.jsonl') },
  {
    name: 'sequential/fail-on-correct',
    args: compare(
      ...['--correct', '--fail-on', 'slower', '--fail-on', 'faster>10%', 'sequential/compare.jsonl'],
    ),
  },
  {
    name: 'sequential/fail-on-holm',
    args: compare('--correct', 'holm', '--fail-on', 'slower>=1%', 'sequential/compare.jsonl'),
  },
  writing('sequential/merge', 'jsonl', [
    'merge',
    ...['sequential/shard-1.jsonl', 'sequential/shard-2.jsonl', '--out', '{out}'],
  ]),
  { name: 'sequential/shards-json', args: compare('--format', 'json', 'sequential/shards.jsonl') },
  { name: 'sequential/shards', args: compare('sequential/shards.jsonl') },
  { name: 'sequential/one-shard', args: compare('sequential/shard-2.jsonl') },
  { name: 'sequential/calibrated', args: compare('--columns', 'all', 'sequential/calibrated.jsonl') },
  writing('sequential/calibrated-report', 'html', [
    ...['report', 'sequential/calibrated.jsonl', '-o', '{out}'],
  ]),
  {
    name: 'sequential/scatter-of-run',
    args: scatter('--xaxis', 'len', '--category', 'kind', 'sequential/run.jsonl'),
  },
];

const http: readonly Case[] = [
  ...mainForms('http', 'compare.jsonl'),
  { name: 'http/columns-all', args: compare('--columns', 'all', '--check', 'http/compare.jsonl') },
  { name: 'http/group-by', args: compare('--group-by', 'benchmarker,len', 'http/compare.jsonl') },
  { name: 'http/bar', args: bar('http/compare.jsonl') },
  { name: 'http/where', args: compare('--where', 'benchmarker=autocannon', 'http/compare.jsonl') },
  { name: 'http/csv-table', args: compare('http/compare.csv') },
  { name: 'http/auto', args: compare('http/auto.jsonl') },
  {
    name: 'http/scatter-of-run',
    args: scatter('--xaxis', 'len', '--category', 'benchmarker', 'http/run.jsonl'),
  },
];

const nodeCore: readonly Case[] = [
  ...mainForms('node-core', 'compare.jsonl'),
  { name: 'node-core/markdown', args: compare('--format', 'markdown', 'node-core/compare.jsonl') },
  { name: 'node-core/columns-all', args: compare('--columns', 'all', 'node-core/compare.jsonl') },
  { name: 'node-core/group-by', args: compare('--group-by', 'benchmark', 'node-core/compare.jsonl') },
  { name: 'node-core/bar', args: bar('node-core/compare.jsonl') },
  { name: 'node-core/where', args: compare('--where', 'benchmarker=wrk', 'node-core/compare.jsonl') },
  { name: 'node-core/csv-table', args: compare('node-core/compare.csv') },
  { name: 'node-core/auto', args: compare('--columns', 'runs,adjusted', 'node-core/auto.jsonl') },
  {
    name: 'node-core/scatter-of-run',
    args: scatter(
      ...['--xaxis', 'n', '--category', 'benchmarker', '--where', 'benchmark=g/reported.js'],
      'node-core/run.jsonl',
    ),
  },
];

const other: readonly Case[] = [
  { name: 'other/edges-table', args: compare('other/edges.csv') },
  { name: 'other/edges-columns-all', args: compare('--columns', 'all', '--check', 'other/edges.csv') },
  { name: 'other/edges-json', args: compare('--format', 'json', 'other/edges.csv') },
  { name: 'other/edges-markdown', args: compare('--format', 'markdown', 'other/edges.csv') },
  { name: 'other/edges-sort-p', args: compare('--sort', 'p', 'other/edges.csv') },
  { name: 'other/edges-group-by', args: compare('--group-by', 'kind', 'other/edges.csv') },
  { name: 'other/edges-fail-on', args: compare('--fail-on', 'faster>=5%', 'other/edges.csv') },
  { name: 'other/edges-bar', args: bar('other/edges.csv') },
  writing('other/edges-report', 'html', ['report', 'other/edges.csv', '-o', '{out}']),
  { name: 'other/format-1', args: compare('--columns', 'all', 'other/format-1.jsonl') },
  { name: 'other/format-1-report', args: ['report', 'other/format-1.jsonl', '-o', 'out/none.html'] },
  { name: 'other/format-1-merge', args: ['merge', 'other/format-1.jsonl', '--out', 'out/none.jsonl'] },
  { name: 'other/cut-off', args: compare('other/cut-off.jsonl') },
  writing('other/cut-off-report', 'html', ['report', 'other/cut-off.jsonl', '-o', '{out}']),
  { name: 'other/cut-off-merge', args: ['merge', 'other/cut-off.jsonl', '--out', 'out/none.jsonl'] },
  { name: 'other/cut-off-resume-as-run', args: ['run', '--resume', 'other/cut-off.jsonl'] },
];

/** Shows the finished session of a file again. */
const again = (command: string, file: string, ...formats: readonly string[]) =>
  formats.map((format) => [command, '--resume', file, '--format', format]);

const subjects = [
  ...['--old', process.execPath, '--old-env', 'SUBJECT=old'],
  ...['--new', process.execPath, '--new-env', 'SUBJECT=new'],
];

/** Sessions that run benchmarks with fixed rates, and what their files show later. */
const live: readonly Case[] = [
  {
    name: 'live/compare',
    args: ['compare', ...subjects, '--runs', '3', '--out', 'out/compare.jsonl', 'compare'],
    further: [
      ...again('compare', 'out/compare.jsonl', 'csv', 'markdown', 'table', 'json'),
      compare('out/compare.jsonl'),
    ],
  },
  {
    name: 'live/run',
    args: ['run', '--runs', '2', '--format', 'csv', '--out', 'out/run.jsonl', 'run'],
    further: again('run', 'out/run.jsonl', 'csv', 'simple', 'json'),
  },
  {
    name: 'live/run-shards',
    args: ['run', '--shard', '1/2', '--out', 'out/shard-1.jsonl', 'run-shards'],
    further: [
      ['run', '--shard', '2/2', '--out', 'out/shard-2.jsonl', 'run-shards'],
      ['run', '--resume', 'out/shard-2.jsonl'],
      scatter('--xaxis', 'len', '--category', 'kind', 'out/shard-2.jsonl'),
    ],
  },
  {
    name: 'live/scatter',
    args: ['scatter', '--runs', '2', '--out', 'out/scatter.jsonl', 'scatter/rates.js'],
    further: [
      ['scatter', '--resume', 'out/scatter.jsonl'],
      scatter('--xaxis', 'len', '--category', 'kind', 'out/scatter.jsonl'),
    ],
  },
  {
    name: 'live/compare-auto',
    args: ['compare', ...subjects, '--runs', 'auto', '--out', 'out/auto.jsonl', 'auto'],
    further: [
      ...again('compare', 'out/auto.jsonl', 'table', 'markdown', 'json'),
      compare('out/auto.jsonl'),
      compare('--format', 'json', 'out/auto.jsonl'),
    ],
  },
  {
    name: 'live/run-auto',
    args: ['run', '--runs', 'auto', '--max-runs', '5', '--out', 'out/run-auto.jsonl', 'run-auto'],
    further: again('run', 'out/run-auto.jsonl', 'simple', 'csv'),
  },
];

const cases: readonly Case[] = [
  ...fixed,
  ...plots,
  ...stratified,
  ...shards,
  ...sequential,
  ...http,
  ...nodeCore,
  ...other,
  ...live,
];

/** A rate depends on the configuration, the subject, and how many runs of these there were before. */
const rates = benchmark(
  `{ kind: ["it's", 'b'], len: [1, 16], n: 1e3 }`,
  `const { kind, len } = conf;
  const isNew = process.env.SUBJECT === 'new';
  const file = join(import.meta.dirname, ['_runs', process.env.SUBJECT, kind, len].join());
  appendFileSync(file, '.');
  const runs = statSync(file).size;
  if (kind === 'b' && len === 16 && isNew) throw new Error('too long');
  const ratio = isNew ? { b: 1.25 }[kind] ?? 1.001 : 1;
  bench.report((1e6 / len) * ratio * (1 + ((runs * 7 + isNew) % 5) / 1000), 1000000n);`,
  { head: `import { appendFileSync, statSync } from 'node:fs';\nimport { join } from 'node:path';` },
);

/** A merged file is its parts one after the other. */
const merged = {
  'stratified/both.jsonl': ['stratified/monday.jsonl', 'stratified/tuesday.jsonl'],
  'shards/all.jsonl': ['shards/1.jsonl', 'shards/2.jsonl'],
  'shards/run-all.jsonl': ['shards/run-1.jsonl', 'shards/run-2.jsonl'],
  'sequential/shards.jsonl': ['sequential/shard-1.jsonl', 'sequential/shard-2.jsonl'],
};

let suite: TemporarySuite;

beforeAll(() => {
  const groups = ['compare', 'run', 'run-shards', 'scatter', 'auto', 'run-auto'];
  suite = temporarySuite(Object.fromEntries(groups.map((group) => [`benchmarks/${group}/rates.js`, rates])));
  cpSync(inputs, suite.directory, { recursive: true });
  for (const [name, parts] of Object.entries(merged)) {
    writeFileSync(suite.path(name), parts.map((part) => readFileSync(suite.path(part), 'utf8')).join(''));
  }
  for (const { writes } of cases) {
    if (writes !== undefined) mkdirSync(dirname(suite.path(writes)), { recursive: true });
  }
});

afterAll(() => suite[Symbol.dispose]());

it.each(cases)('pins $name', async ({ name, args, input, further = [], writes }) => {
  const texts: string[] = [];
  for (const [at, words] of [args, ...further].entries()) {
    texts.push(await commandText(words, at === 0 ? input : undefined));
  }
  if (writes !== undefined) texts.push(section(writes, writtenText(writes)));
  expectPinned(`${name}.txt`, neutral(texts.join('\n')));
});

it('has an expected text for each case, and no other', () => {
  const files = readdirSync(expected, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.txt'),
  );
  expect(files.sort()).toEqual(cases.map(({ name }) => `${name}.txt`).sort());
});

/** Compares a text with the expected one, or writes it with PIN=1. */
function expectPinned(name: string, text: string): void {
  const path = join(expected, name);
  if (process.env['PIN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  if (!existsSync(path)) throw new Error(`${path} is missing; PIN=1 writes it`);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

/** A command with all that it printed, and its exit code. */
async function commandText(args: readonly string[], input: string | undefined): Promise<string> {
  const { stdout, stderr, exitCode } = await benchCli(args, {
    cwd: suite.directory,
    ...(input !== undefined && { input: readFileSync(suite.path(input), 'utf8') }),
  });
  const words = args.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
  const command = `$ bench-cli ${words.join(' ')}${input === undefined ? '' : ` < ${input}`}\n`;
  return `${command}exit code ${exitCode}\n${section('stdout', stdout)}${section('stderr', stderr)}`;
}

/** A part of an expected text; a missing line end is visible. */
function section(title: string, text: string): string {
  if (text === '') return '';
  return `--- ${title} ---\n${text}${text.endsWith('\n') ? '' : '\n--- no line end ---\n'}`;
}

/** A file that a command wrote, as text: SVG as it is, the content of a page, the digest of anything else. */
function writtenText(file: string): string {
  const bytes = readFileSync(suite.path(file));
  if (file.endsWith('.svg')) return bytes.toString();
  if (file.endsWith('.html')) return pageText(bytes.toString());
  return `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}\n`;
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
};

/** The visible text and the data of a report, without its style and its scripts. */
function pageText(html: string): string {
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const text = html
    .replace(/<(style|script)\b.*?<\/\1>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/<\/?(strong|span|code)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (entity, name: string) => characters[name] ?? entity)
    .trim();
  return `${text}\n${section('data', `${JSON.stringify(JSON.parse(data), undefined, 1)}\n`)}`;
}

/** Values that differ between machines and runs, in JSON. */
const varying = [
  ...['startedAt', 'durationMs', 'userCpuUs', 'systemCpuUs', 'maxRssKiB'],
  ...['version', 'v8', 'arch', 'platform'],
  ...['cpu', 'cpus', 'os', 'memoryBytes', 'governor', 'load', 'node'],
];
const varyingValue = new RegExp(`"(${varying.join('|')})": ("[^"]*"|[\\d.e+-]+|null)`, 'g');

/** Replaces what depends on the machine, the time or the size of a page's scripts by fixed words. */
function neutral(text: string): string {
  return text
    .replaceAll(suite.directory, '/suite')
    .replaceAll(process.execPath, '/node/bin/node')
    .replaceAll(root.replace(/\/$/, ''), '/bench-cli')
    .replace(varyingValue, '"$1": "varies"')
    .replace(/(comparisons?), [\d.]+ [kM]B$/gm, '$1, <size>');
}
