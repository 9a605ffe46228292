/// <reference lib="dom" />

import { type SamplePair, shortenedApart } from '@bench-cli/results';
import { compareFixed, scatterTable } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { pairOf } from '../../../test/support/pairs.ts';
import { barPlot, boxPlot, groupPlot, renderPng, scatterPlot, searchPlot } from '../src/plot/index.ts';
import { describeInChromium } from './chromium.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3, 30];
const around = (mean: number) => SPREAD.map((offset) => mean * (1 + offset / 100));
const pair = (benchmark: string, text: string, change = 0) =>
  pairOf(benchmark, text, around(4.7e6), around(4.7e6 * (1 + change)));
const named = (name: string) => pair('a.js', `s='${name}'`);

/** What is compared, by what is special about it. */
const comparisons: Readonly<Record<string, readonly SamplePair[]>> = {
  'all rates equal': [pairOf('a.js', 'n=1', [5, 5, 5, 5, 5], [5, 5, 5, 5, 5])],
  'one run of each': [pairOf('a.js', 'n=1', [5], [6])],
  'one subject with runs': [pairOf('a.js', 'n=1', around(5), []), pair('a.js', 'n=2')],
  'a baseline without runs': [pairOf('a.js', 'n=1', [], around(5)), pair('a.js', 'n=2')],
  'rates of 0': [pairOf('a.js', 'n=1', around(5), [0, 0, 0, 0, 0]), pair('a.js', 'n=2')],
  'a tiny and a huge ratio': [
    pairOf('a.js', 'n=1', around(1), around(1e-9)),
    pairOf('a.js', 'n=2', around(1), around(1e60)),
  ],
  'intervals that say nothing': [pairOf('a.js', 'n=1', [1, 1000], [1, 1000])],
  'negative parameters': [pair('a.js', 'n=-5'), pair('a.js', 'n=-0.5', -0.5)],
  'names with markup and 230 characters': [
    ...[named('<b>&"</b>'), named(`${'x'.repeat(115)}1${'x'.repeat(114)}`), named('漢'.repeat(230))],
    ...[named(`${'x'.repeat(115)}2${'x'.repeat(114)}`), pair(`${'dir/'.repeat(60)}a.js`, 'n=1')],
  ],
};
/** A PNG of these takes seconds. */
const large: typeof comparisons = {
  '200 configurations': Array.from({ length: 200 }, (_, at) =>
    pair(`g/${Math.floor(at / 60)}.js`, `n=${at} len=${at * 7}`, at === 7 ? 1.4 : 0),
  ),
  'a thousand configurations': Array.from({ length: 1000 }, (_, n) => pair('a.js', `n=${n}`)),
};

const row = (label: string, rate: number) => ({
  label,
  rate,
  interval: { low: rate * 0.9, high: rate * 1.1 },
});
const ratePlot = (
  rows: readonly { label: string; rate: number; interval: { low: number; high: number } | null }[],
) => groupPlot([{ benchmark: 'HTTP clients', shared: { url: '/', n: 100 }, rows }], 'answers');

const growing = (categories: number, lengths: readonly (number | string)[] = [16, 64, 256]) =>
  scatterTable(
    Array.from({ length: categories }, (_, kind) =>
      lengths.map((len, at) => ({
        benchmark: 'a.js',
        configuration: { len, kind: `k${kind}` },
        rates: around(1e6 * (1 + at * kind)),
      })),
    ).flat(),
    'len',
    'kind',
  );

const load = (rate: number, ms: number | null, isKept = true) => ({
  ...{ rate, isKept },
  latency: ms === null ? null : { p50Ms: ms, p90Ms: 2 * ms, p99Ms: 9 * ms },
});
const loads = [load(100, 1), load(200, 1.5), load(200, 2, false), load(400, null, false)];

const picturesOf = (compared: typeof comparisons) =>
  Object.entries(compared).flatMap(([name, pairs]) => [
    [`the box plot of ${name}`, () => boxPlot(pairs)] as const,
    [`the bars of ${name}`, () => barPlot(compareFixed(pairs))] as const,
  ]);
const small: readonly (readonly [string, () => string])[] = [
  ...picturesOf(comparisons),
  ['rates of one decade', () => ratePlot([row('slow', 500), row('fast', 4000)])],
  ['rates of six decades', () => ratePlot([row('slow', 5), row('fast', 4e6)])],
  ['a scatter plot of numbers', () => scatterPlot(growing(8, [-16, 0, 1, 2, 3, 4, 1024, 4096]), 'a.js')],
  ['a scatter plot of many numbers', () => scatterPlot(growing(2, [...Array(99).keys()]), 'a')],
  ['a scatter plot of texts', () => scatterPlot(growing(3, ['ascii', 'utf8', 'x'.repeat(230)]), 'a.js')],
  ['a scatter plot of many categories', () => scatterPlot(growing(9), 'a.js')],
  ['a search', () => searchPlot(loads, 'http://127.0.0.1/, p99<50ms')],
  ['a search without an answer', () => searchPlot([load(1, null, false)], 'p99<50ms')],
];
const pictures = [...small, ...picturesOf(large)];

/** The texts of a picture, in their order. */
function textsOf(svg: string): string[] {
  const characterOf = (_: string, code: string) => String.fromCodePoint(Number(code));
  return [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text = '']) =>
    text.replace(/&#(\d+);/g, characterOf),
  );
}

/** The number of elements of a class. */
function marksOf(svg: string, name: string): number {
  return svg.split(new RegExp(`class="(?:[^"]* )?${name}[ "]`)).length - 1;
}

it.each(pictures)('%s has finite places, and texts that differ', (_, draw) => {
  const svg = draw();
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const labels = textsOf(svg).filter((text) => /^[ns]=/.test(text));
  expect(new Set(labels).size).toBe(labels.length);
});

// One of each kind, and those whose texts could be no XML.
const drawn = /markup|six decades|of texts|a search$/;
it.each(small.filter(([name]) => drawn.test(name)))('%s has a PNG', (_, draw) => {
  expect([...renderPng(draw()).subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
});

describeInChromium('in Chromium', ({ opened }) => {
  it.each(pictures)('no text of %s overlaps another one, or leaves the picture', async (_, draw) => {
    const page = opened();
    await page.setContent(`<body style="margin: 0">${draw()}`);
    const { overlapping, outside } = await page.evaluate(() => {
      const { right, bottom } = document.querySelector('svg')?.getBoundingClientRect() ?? new DOMRect();
      const texts = Array.from(document.querySelectorAll('svg text'), (text) => {
        return { name: text.textContent, box: text.getBoundingClientRect() };
      });
      const overlaps = (a: DOMRect, b: DOMRect) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0 &&
        // The height of a line has space around its letters.
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
      return {
        overlapping: texts.flatMap((text, at) =>
          texts
            .slice(at + 1)
            .flatMap(({ name, box }) => (overlaps(text.box, box) ? [[text.name, name]] : [])),
        ),
        outside: texts.flatMap(({ name, box }) =>
          box.left < 0 || box.top < 0 || box.right > right || box.bottom > bottom ? [name] : [],
        ),
      };
    });
    expect({ overlapping, outside }).toEqual({ overlapping: [], outside: [] });
  });
});

describe.each([
  ['box plot', boxPlot],
  [
    'bars',
    (pairs: readonly SamplePair[], names?: Map<string, string>) => barPlot(compareFixed(pairs), names),
  ],
] as const)('the %s', (_, plot) => {
  it('shows line breaks and controls of names as text', () => {
    const [old, new_] = ['a\nb', 'c\r\u2028\u202e'] as const;
    const pairs = [pair('a\u0001\u001b[2J.js', 'n=\u0002'), pair('b.js', 'n=\uffff')];
    const svg = plot(pairs.map((each) => ({ ...each, baseline: old, subject: new_ })));
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['a\\nb', 'c\\r\\u2028\\u202e']));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b-\u001f\uffff]/);
    // The library that makes a PNG refuses invalid XML.
    expect(renderPng(svg).length).toBeGreaterThan(1000);
  });

  it('has four columns for 200 configurations, and one axis for those of a benchmark', () => {
    const svg = plot(large['200 configurations'] ?? []);
    const [, width, height] = /width="(\d+)" height="(\d+)/.exec(svg) ?? [];
    expect([Number(width) < 3500, Number(height) < 3500]).toEqual([true, true]);
    const texts = textsOf(svg);
    const [first, second] = ['g/0.js', 'g/0.js (continued)'].map((title) => {
      const rest = texts.slice(texts.indexOf(title));
      const end = rest.findIndex((text) => text.endsWith('(higher is better)'));
      return rest.slice(0, end).filter((text) => /^[÷×\d][\d ]*%?$/.test(text));
    });
    expect(second).toEqual(first);
    expect(first?.length).toBeGreaterThan(1);
  });

  it('rejects rates of 0, of which none is above the axis', () => {
    expect(() => plot([pairOf('a.js', 'n=1', [0, 0], [0, 0])])).toThrow(plotError('above 0'));
  });

  it.each([
    ['no configuration', 0, 'no run succeeded'],
    ['more configurations than a plot can show', 1001, '1001'],
  ])('rejects %s', (_, length, value) => {
    const pairs = Array.from({ length }, (_, n) => pair('a.js', `n=${n}`));
    expect(() => plot(pairs)).toThrow(plotError(value));
  });
});

const plotError = (...values: readonly string[]) => errorWith('PLOT', ...values);

it.each([
  [4, { boxes: 0, runs: 8 }],
  [5, { boxes: 2, runs: 0 }],
])('the box plot shows %i runs as %j', (count, marks) => {
  const rates = Array.from({ length: count }, (_, run) => 100 + run);
  const svg = boxPlot([pairOf('a.js', 'n=1', rates, rates)]);
  // Each subject has a symbol in the legend.
  expect({ boxes: marksOf(svg, 'box'), runs: marksOf(svg, 'run') - 2 }).toEqual(marks);
});

it.each([
  ['bars from 0', 9, { boxes: 2, ticks: ['0 %', '500 %', '1000 %'] }],
  ['symbols', 11, { boxes: 0, ticks: ['1', '×2', '×5', '×10'] }],
])('the plot of bars draws %s for a ratio of %i', (_, ratio, marks) => {
  const rates = [1, 1.01, 1.02, 1.03];
  const changed = rates.map((value) => value * ratio);
  const pairs = [pairOf('a.js', 'n=1', rates, changed)];
  const svg = barPlot(compareFixed(pairs));
  const ticks = textsOf(svg).filter((text) => /^([÷×\d]\d*|\d+ %)$/.test(text));
  expect({ boxes: marksOf(svg, 'box'), ticks }).toEqual(marks);
});

describe('the plot of rates', () => {
  it('does not mention intervals if there are none', () => {
    const svg = ratePlot([{ label: 'slow', rate: 1200, interval: null }]);
    expect(textsOf(svg)).toContainEqual(expect.stringMatching(/^answers (?!.*95 %)/));
    expect(marksOf(svg, 'estimate')).toBe(0);
  });

  it('needs a rate', () => {
    expect(() => ratePlot([])).toThrow(plotError());
  });
});

describe('the scatter plot', () => {
  it('has a row for each text', () => {
    const svg = scatterPlot(growing(2, ['ascii', 'utf8']), 'a.js');
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['len=ascii', 'len=utf8', 'kind=k0']));
    expect({ lines: marksOf(svg, 'path'), bars: marksOf(svg, 'box') }).toEqual({ lines: 0, bars: 4 });
  });

  it('has no legend without a category', () => {
    const { cells, ...table } = growing(1);
    const svg = scatterPlot({ ...table, cells, category: undefined }, 'a.js');
    expect(textsOf(svg)).toContain('len');
    expect(svg).not.toContain('k0');
  });

  it('has a panel for each category if there are more than colours', () => {
    const texts = textsOf(scatterPlot(growing(9), 'a.js'));
    expect(texts.filter((text) => text.startsWith('operations per second'))).toHaveLength(9);
    expect(texts).toEqual(expect.arrayContaining(['kind=k8', 'len=256']));
  });

  it.each([
    ['len', "--where 'len>0'"],
    ["it's", `--where 'it'"'"'s>0'`],
  ])('rejects a logarithmic axis of %s with values that are not above 0', (name, option) => {
    const table = scatterTable(
      [0, 1].map((value) => ({ benchmark: 'a', configuration: { [name]: value, kind: 'x' }, rates: [1] })),
      name,
      'kind',
    );
    expect(() => scatterPlot(table, 'a', true)).toThrow(plotError(`"${name}"`, option));
  });
});

it('the plot of a search has a point for each percentile of a load, as an outline where the promise is not kept', () => {
  const svg = searchPlot(loads, 'p99<50ms');
  const [points, outlines, lines] = ['estimate', 'hollow', 'path'].map((name) => marksOf(svg, name));
  expect({ points, outlines, lines }).toEqual({ points: 9, outlines: 3, lines: 3 });
});

it('names that are too long are shortened, and stay different', () => {
  const repeated = [230, 231, 240].map((length) => 'y'.repeat(length));
  const names = [
    'short',
    ...repeated,
    ...['1', '2', '12'].map((digits) => `${'x'.repeat(99)}${digits}${repeated[0]}`),
  ];
  const shown = shortenedApart(names, 20);
  expect(new Set(shown).size).toBe(names.length);
  expect(Math.max(...shown.map((name) => name.length))).toBe(20);
});

it('shortened names keep the start that distinguishes them', () => {
  const names = ['latin1', 'utf16le', 'utf8'].flatMap((encoding) =>
    [10, 100, 1000].flatMap((items) =>
      ['broken', 'loose', 'strict'].map((mode) => `${encoding} ${items} ${mode}`),
    ),
  );
  expect(new Set(shortenedApart(names, 14)).size).toBe(names.length);
});

it('a PNG shows text without installed fonts', () => {
  const svg = (label: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15" font-family="Inter, Arial">${label}</text></svg>`;
  expect(renderPng(svg('text')).length).toBeGreaterThan(renderPng(svg('')).length + 100);
});
