import { compareFixed, scatterTable } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { barPlot, boxPlot, ratePlot, renderPng, renderSvg, scatterPlot } from '../src/plot/index.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3, 30];
const around = (mean: number) => SPREAD.map((offset) => mean * (1 + offset / 100));
const pair = (benchmark: string, text: string, change = 0) =>
  pairOf(benchmark, text, around(4.7e6), around(4.7e6 * (1 + change)));
const few = [pair('a.js', 'n=5 len=1', 0.1), pair('a.js', 'n=5 len=2'), pair('b.js', "s='<&>'")];

/** The texts of an SVG, in their order. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]+)</g)].map(([, text = '']) => text);
}

/** The number of marks that readers of the screen hear as a kind, such as `bar`. */
function symbolsOf(svg: string, kind: string): number {
  return svg.split(`aria-roledescription="${kind}"`).length - 1;
}

/** The number of marks of a kind in an SVG, without those of axes. */
function marksOf(svg: string, kind: string): number {
  const groups = svg.matchAll(new RegExp(`<g class="mark-${kind} role-mark[^>]*>(.*?)</g>`, 'g'));
  return [...groups].reduce((sum, [, content = '']) => sum + content.split('<line').length - 1, 0);
}

const names = new Map([
  ['old', 'main'],
  ['new', 'branch'],
]);

describe.each([
  ['box plot', () => boxPlot(few, names)],
  ['bars', () => barPlot(compareFixed(few), names)],
])('the %s', (_, plot) => {
  it('escapes values', async () => {
    expect(textsOf(await renderSvg(plot()))).toContain("s='&lt;&amp;&gt;'".replaceAll("'", ''));
  });
});

it.each([
  ['box plot', boxPlot],
  ['bars', (pairs: typeof few) => barPlot(compareFixed(pairs))],
])('the %s shows a subject whose name has line breaks and controls', async (_, plot) => {
  const subjects = ['a\nb', 'c\r\u2028\u202e'] as const;
  const [old, new_] = subjects;
  const pairs = few.map((each) => ({ ...each, baseline: old, subject: new_ }));
  expect(textsOf(await renderSvg(plot(pairs)))).toEqual(
    expect.arrayContaining(['a\\nb', 'c\\x0d\\u2028\\u202e']),
  );
});

describe('the box plot', () => {
  const marks = async (runs: number) => {
    const rates = Array.from({ length: runs }, (_, run) => 100 + run);
    const svg = await renderSvg(boxPlot([pairOf('a.js', 'n=1', rates, rates)]));
    return { boxes: symbolsOf(svg, 'bar'), points: symbolsOf(svg, 'point') };
  };

  it('shows few runs as points, and more runs as a box', async () => {
    expect(await marks(4)).toEqual({ boxes: 0, points: 8 });
    expect(await marks(5)).toEqual({ boxes: 2, points: 0 });
  });
});

it('characters that XML cannot contain are replaced', async () => {
  const plot = boxPlot([pair('a\u0001\u001b[2J.js', 'n=\u0002'), pair('b.js', 'n=\uffff')]);
  const svg = await renderSvg(plot);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(svg).not.toMatch(/[\u0000-\u0008\u000b-\u001f\uffff]/);
  // The library that makes a PNG refuses invalid XML.
  expect(renderPng(svg).length).toBeGreaterThan(1000);
});

describe('200 configurations', () => {
  const many = Array.from({ length: 200 }, (_, at) =>
    pair(`g/${Math.floor(at / 60)}.js`, `n=${at} len=${at * 7}`),
  );

  it('have one line each, in four columns', async () => {
    const svg = await renderSvg(boxPlot(many));
    const places = new Set(
      [...svg.matchAll(/<text[^>]*>n=\d+ len=\d+<\/text>/g)].map(([text]) => text.replace(/<[^>]*>/g, '')),
    );
    expect(places.size).toBe(200);
    const [, width, height] = /width="(\d+)[^"]*" height="(\d+)/.exec(svg) ?? [];
    expect(Number(width)).toBeLessThan(3000);
    expect(Number(height)).toBeLessThan(3500);
    expect(textsOf(svg)).toContain('g/0.js (continued)');
  });

  it('of one benchmark have one axis, also in several columns', async () => {
    const pairs = Array.from({ length: 60 }, (_, n) => pair('a.js', `n=${n}`, n === 0 ? 1 : 0));
    for (const plot of [boxPlot(pairs), barPlot(compareFixed(pairs))]) {
      const ticks = textsOf(await renderSvg(plot)).filter((text) => /^\d+ %$/.test(text));
      expect(ticks.slice(0, ticks.length / 2)).toEqual(ticks.slice(ticks.length / 2));
      expect(Number.parseInt(ticks.at(-1) ?? '', 10)).toBeGreaterThanOrEqual(200);
    }
  });
});

const plotError = (...values: readonly string[]) =>
  expect.objectContaining({
    code: 'ERR_BENCH_PLOT',
    message: expect.stringMatching(new RegExp(values.join('.*'))),
  });

it('rejects rates of 0, of which none is above the axis', () => {
  const zero = [pairOf('a.js', 'n=1', [0, 0], [0, 0])];
  for (const plot of [() => boxPlot(zero), () => barPlot(compareFixed(zero))])
    expect(plot).toThrow(plotError('above 0'));
});

it.each([
  ['no configuration', 0, 'no run succeeded'],
  ['more configurations than a plot can show', 1001, '1001'],
])('rejects %s', (_, length, value) => {
  const pairs = Array.from({ length }, (_, n) => pair('a.js', `n=${n}`));
  expect(() => boxPlot(pairs)).toThrow(plotError(value));
});

describe('the plot of rates', () => {
  const options = { title: 'HTTP clients', subtitle: 'GET, 100 at a time', unit: 'answers' };
  const slow = { name: 'slow <&>', ratePerSecond: 1200, interval: { low: 1000, high: 1400 } };
  const fast = { name: 'fast', ratePerSecond: 5210, interval: { low: 5000, high: 5400 } };

  it('has a bar for each, in the order given, with its name, its rate and its interval', async () => {
    const svg = await renderSvg(ratePlot([slow, fast], options));
    const texts = textsOf(svg);
    expect(texts).toEqual(expect.arrayContaining(['HTTP clients', 'GET, 100 at a time', '1.20k', '5.21k']));
    expect(texts.indexOf('slow &lt;&amp;&gt;')).toBeLessThan(texts.indexOf('fast'));
    expect(texts).toContainEqual(expect.stringMatching(/^answers .*95 %/));
    expect(marksOf(svg, 'rule')).toBe(2);
  });

  it('counts below 1000 without a unit', async () => {
    const texts = textsOf(await renderSvg(ratePlot([slow], options)));
    expect(texts).toEqual(expect.arrayContaining(['0', '200', '400', '1k', '1.20k']));
  });

  it('does not mention intervals if there are none', async () => {
    const svg = await renderSvg(ratePlot([{ ...slow, interval: null }], options));
    expect(textsOf(svg)).toContainEqual(expect.stringMatching(/^answers (?!.*95 %)/));
    expect(marksOf(svg, 'rule')).toBe(0);
  });

  it('needs a rate', () => {
    expect(() => ratePlot([], options)).toThrow(plotError());
  });
});

describe('the scatter plot', () => {
  const samples = (categories: number) =>
    Array.from({ length: categories }, (_, kind) =>
      [16, 64, 256].map((len) => ({
        benchmark: 'a.js',
        configuration: { len, kind: `k${kind}` },
        rates: around(1e6 + len * kind),
      })),
    ).flat();

  it('joins numbers by lines, but not texts', async () => {
    const texts = ['ascii', 'utf8'].flatMap((encoding) =>
      ['a', 'b'].map((kind) => ({
        benchmark: 'a.js',
        configuration: { encoding, kind },
        rates: around(300),
      })),
    );
    const [numbers, categories] = await Promise.all([
      renderSvg(scatterPlot(scatterTable(samples(2), 'len', 'kind'), 'a.js')),
      renderSvg(scatterPlot(scatterTable(texts, 'encoding', 'kind'), 'a.js')),
    ]);
    const lines = (svg: string) => symbolsOf(svg, 'line mark');
    expect({ numbers: lines(numbers), categories: lines(categories) }).toEqual({ numbers: 2, categories: 0 });
    expect(textsOf(categories)).toEqual(expect.arrayContaining(['ascii', 'utf8', '100', '300']));
    expect(symbolsOf(categories, 'point')).toBe(4);
  });

  it('has no legend without a category', async () => {
    const table = scatterTable(samples(1), 'len', undefined);
    const texts = textsOf(await renderSvg(scatterPlot(table, 'a.js')));
    expect(texts).toContain('len');
    expect(texts).not.toContain('k0');
    expect(texts).not.toContain('');
  });

  it('gives each category a panel with its axes if there are more categories than colours', async () => {
    const table = scatterTable(samples(9), 'len', 'kind');
    const svg = await renderSvg(scatterPlot(table, 'a.js'));
    expect(textsOf(svg).filter((text) => text === 'operations per second')).toHaveLength(9);
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

describe('the PNG', () => {
  it('shows text without installed fonts', async () => {
    const svg = (label: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15" font-family="Inter, Arial">${label}</text></svg>`;
    const empty = renderPng(svg(''));
    const filled = renderPng(svg('text'));
    expect([...filled.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(filled.length).toBeGreaterThan(empty.length + 100);
  });
});
