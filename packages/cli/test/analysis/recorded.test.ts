/** What analyses of recorded results show, by values. The texts are pinned in `test/pinned`. */
import { readFileSync } from 'node:fs';
import { changeRange } from '@bench-cli/report';
import { shownIn } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { comparisonDocument } from '../../../../test/support/comparison-document.ts';
import { inOrder } from '../../../../test/support/error-with.ts';
import { recordedInputs } from '../../../../test/support/recorded-inputs.ts';
import { pageData, pageText } from '../../../../test/support/report-page.ts';
import { untilEnd } from '../../../../test/support/until-end.ts';

const bench = (...args: string[]) => benchCli(args, { cwd: files.directory });
const compare = (...args: string[]) => bench('analyze', ...args);

/** The JSON of a comparison. */
async function documentOf(...args: string[]) {
  const { stdout } = await compare('--format', 'json', ...args);
  return comparisonDocument(stdout);
}

/** The cells of the first table of an output, without its header. */
const rowsOf = (stdout: string) =>
  (stdout.split('\n\n')[0] ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/));

/** A CSV with a configuration for each kind of verdict; a third subject differs the other way round. */
function verdictsCsv(others: readonly string[]): string {
  const kinds = { faster: 1.1, slower: 0.9, same: 1, noisy: 1, zero: Infinity };
  const rows = Object.entries(kinds).flatMap(([kind, ratio]) => {
    const spread = kind === 'noisy' ? 100 : 1;
    const means = kind === 'zero' ? [0, 1000, 0] : [1000, 1000 * ratio, 1000 * (2 - ratio)];
    return ['base', ...others].flatMap((subject, at) => {
      const rates = [-3, -2, -1, 0, 0, 1, 2, 3].map(
        (offset) => (means[at] || -offset * spread) + offset * spread,
      );
      return rates.map(
        (rate) => `"${at === 0 ? 'old' : 'new'}","${subject}","a.js","kind='${kind}'",${rate},0.001`,
      );
    });
  });
  return ['"binary","subject","filename","configuration","rate","time"', ...rows, ''].join('\n');
}

const csvs = { 'verdicts.csv': verdictsCsv(['new']), 'subjects.csv': verdictsCsv(['one', 'other']) };
const files = untilEnd(recordedInputs(csvs));

const recorded = ['fixed.jsonl', 'sequential.jsonl', 'edges.csv', 'http.jsonl', ...Object.keys(csvs)];

describe.each(recorded)('%s', (file) => {
  it('has the summary and the methods of the JSON in each text', async () => {
    const { summary, methods } = await documentOf(file);
    const [parameter = ''] = Object.keys((await documentOf(file)).comparisons.at(-1)?.configuration ?? {});
    for (const options of [[], ['--format', 'rates'], ['--format', 'markdown'], ['--group-by', parameter]]) {
      const text = (await compare(...options, file)).stdout.replaceAll(/\s+/g, ' ');
      // Texts of a terminal name the method and its page.
      for (const sentence of [summary, ...Object.values(methods).map(({ name }) => name)])
        expect(text, options.join(' ')).toContain(sentence);
    }
    const junit = await compare('--format', 'junit', '--fail-on', 'slower', file);
    expect(junit.stdout).toContain(`<system-out>${shownIn('xml', summary)}</system-out>`);
  });

  it('has the figures of the JSON as the data of the page', async () => {
    const { comparisons, methods, ...names } = await documentOf(file);
    expect((await bench('analyze', file, '--html', 'page.html')).exitCode).toBe(0);
    const html = readFileSync(files.path('page.html'), 'utf8');
    const data = pageData(html);
    const subjects = names.subjects?.map(({ name }) => name) ?? [names.oldName, names.newName];
    const test = expect.stringContaining(Object.values(methods)[0]?.test ?? '?');
    expect(data).toMatchObject({ subjects, test });
    for (const sentence of names.summary.split(/(?<=\.) (?=\w)/))
      expect(pageText(html).replaceAll(/\s+/g, ' ')).toContain(sentence);
    const about = (value: number | null | undefined) =>
      typeof value === 'number' ? Number(value.toPrecision(6)) : null;
    expect(data.rows).toMatchObject(
      comparisons.map((each) => ({
        // The page says that a case did not run. The JSON keeps its four verdicts.
        verdict: each.reason === 'missing-subject' ? 'not run' : each.verdict,
        change: about(each.ratio && each.ratio.ratio - 1),
        low: about(each.ratio && each.ratio.low - 1),
        high: about(each.ratio && each.ratio.high - 1),
        p: about(each.p),
        nOld: each.old?.n ?? 0,
        nNew: each.new?.n ?? 0,
      })),
    );
  });
});

describe.each(recorded)('the rows of %s', (file) => {
  it('have the verdict and the interval of the JSON, on a terminal, in Markdown and in JUnit', async () => {
    const { comparisons } = await documentOf(file);
    const rates = rowsOf((await compare('--format', 'rates', file)).stdout).filter(
      ({ length }) => length > 4,
    );
    const ofRates = rates.map((cells) => {
      const at = cells.findIndex((cell) =>
        /^(?:failed|faster|slower|no difference|undecided|not run)/.test(cell),
      );
      return [cells[at - 1], cells[at]?.replace('not run', 'undecided').split(':')[0]];
    });
    const rangeOf = (ratio: (typeof comparisons)[number]['ratio']) =>
      ratio === null ? '–' : `${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}`;
    expect(ofRates).toEqual(comparisons.map(({ ratio, verdict }) => [rangeOf(ratio), verdict]));

    const sections = (await compare('--format', 'markdown', file)).stdout.split(/^(?=### |<summary>)/m);
    const ofMarkdown = sections.flatMap((section) => {
      const verdict = /^(?:### |<summary>)\d+ ([a-z ]+)/.exec(section)?.[1]?.replace('without', 'no');
      const [titles = [], , ...rows] = Array.from(section.matchAll(/^\| (.*) \|$/gm), ([, row = '']) =>
        row.replaceAll('\u00a0', ' ').split(' | '),
      );
      return rows.map((cells) => `${verdict}: ${cells[titles.indexOf('Interval')] ?? '–'}`);
    });
    expect(ofMarkdown.sort()).toEqual(
      comparisons.map(({ ratio, verdict }) => `${verdict}: ${changeRange(ratio)}`).sort(),
    );

    const junit = await compare('--format', 'junit', '--fail-on', 'faster', '--fail-on', 'slower', file);
    const ofJunit = junit.stdout.matchAll(/<failure message="[^"]*?(?:: ([^":]+ to [^":]+))?"/g);
    const differences = comparisons.filter(({ verdict }) => /faster|slower/.test(verdict));
    expect(Array.from(ofJunit, ([, interval = '–']) => interval).sort()).toEqual(
      differences.map(({ ratio }) => changeRange(ratio)).sort(),
    );
  });

  it('have the improvement of the JSON, or the interval of adaptive runs, in the table of compare.R', async () => {
    const { comparisons } = await documentOf(file);
    const rows = rowsOf((await compare('--format', 'table', file)).stdout).map((cells) => cells.join('  '));
    const expected = comparisons.map(({ method, ratio, old, new: new_, verdict }) => {
      if (method === 'sequential') return changeRange(ratio);
      if (verdict === 'failed') return verdict;
      return old?.mean && new_
        ? `${((new_.mean / old.mean - 1) * 100).toFixed(2)} %`
        : old && new_
          ? 'NA'
          : 'not run';
    });
    expect(rows).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});

it.each(['rates', 'markdown', 'page'])(
  'the metrics of http.jsonl have the intervals of the JSON in %s',
  async (format) => {
    const { metrics = [] } = await documentOf('http.jsonl');
    const ranges = metrics.flatMap(({ comparisons }) => comparisons.map(({ ratio }) => changeRange(ratio)));
    const options = format === 'page' ? ['--html', 'metrics.html'] : ['--format', format];
    const { stdout } = await compare(...options, 'http.jsonl');
    const text = format === 'page' ? pageText(readFileSync(files.path('metrics.html'), 'utf8')) : stdout;
    const shown = text.slice(text.indexOf('(p99)')).match(/\S+ % to \S+ %/g);
    expect(shown).toEqual(ranges.filter((range) => range.includes(' to ')));
  },
);

it.each([
  ['http.jsonl', 'len=4', 'needs 7 runs'],
  ['edges.csv', "kind='constant'", 'the rates never vary'],
  ['fixed.jsonl', "kind='a", 'runs failed'],
])(
  'the reason of an undecided comparison stands beside the verdict in Markdown and in the page of %s',
  async (file, text, reason) => {
    const rows = (await compare('--format', 'markdown', file)).stdout.split('\n');
    expect(rows.filter((row) => row.includes(text)).join('\n')).toContain(`| ${reason} |`);
    await bench('analyze', file, '--html', 'reason.html');
    const { rows: entries } = pageData(readFileSync(files.path('reason.html'), 'utf8'));
    expect(entries).toContainEqual(expect.objectContaining({ verdict: 'undecided', reason }));
  },
);

describe('options', () => {
  it('--where does not change how adaptive runs are judged and corrected', async () => {
    const all = await documentOf('sequential.jsonl');
    const { comparisons } = await documentOf('--where', 'kind=slower', 'sequential.jsonl');
    expect(comparisons).toEqual(all.comparisons.filter(({ text }) => text === "n=1 kind='slower'"));
  });

  it.each([
    ['encoding', 'fixed.jsonl', ['- 4 0 1 0 3 1.006 [0.982, 1.031]', 'ascii 2 1 1 0 0 0.993 [0.982, 1.003]']],
    ['kind', 'sequential.jsonl', ['broken 1 1 0 0 0 0 –', 'close 1 0 0 0 0 1 1.011 [0.996, 1.025]']],
    ['benchmarker,len', 'http.jsonl', ['- 4 1 1 0 0 0 0 –', 'autocannon 4 1 0 0 0 0 1 1.046 [0.212, 4.774]']],
    ['kind', 'edges.csv', ['- 3 0 0 0 3 2.264 [2.192, 2.339]', 'constant 1 0 0 0 1 1.000 [0.980, 1.020]']],
  ])('--group-by %s counts the verdicts of %s', async (parameters, file, rows) => {
    const { stdout } = await compare('--group-by', parameters, file);
    const shown = rowsOf(stdout).map((cells) => cells.join(' '));
    expect(shown.slice(0, rows.length)).toEqual(rows);
  });

  // Other gates are pinned.
  it.each([
    ['sequential.jsonl', 'slower>=5%', ["kind='broken'", "kind='zero'", '--max-runs', "kind='slower'"]],
    [
      'edges.csv',
      'faster>=5%',
      ["kind='one run': needs 9 runs", "kind='only old'", "kind='zero': a rate of 0"],
    ],
  ])('--fail-on judges %s: %s', async (file, threshold, values) => {
    const { exitCode, stderr } = await compare('--fail-on', threshold, file);
    expect(exitCode).toBe(1);
    const said = stderr.split('\n').filter((line) => !/^warning: (?!.*slower|.*faster)/.test(line));
    expect(said.join('\n')).toMatch(inOrder(values));
  });
});
