import { describe, expect, it } from 'vitest';
import { estimateMark, tickTexts } from '../src/picture/mark.ts';
import { linearScale, rateScale, ratioScale, type Scale } from '../src/picture/scale.ts';

const estimate = (low: number, value = low, high = value) => ({ low, value, high });
const textsOf = ({ ticks, textOf }: Scale) => ticks.map((tick) => textOf(tick)).join(' ');

/** The names of the arrows in which an interval ends. */
function arrowsOf(scale: Scale, interval: ReturnType<typeof estimate>): string[] {
  const mark = estimateMark(scale, interval, (place) => [place, 0], {});
  const arrows = [...mark.matchAll(/#mark-(\w+)/g)].map(([, name = '']) => name);
  expect(mark.includes('<title>')).toBe(arrows.length > 0);
  return arrows;
}

const few = Array.from({ length: 9 }, () => estimate(0.99, 1, 1.02));
const huge = estimate(90, 100, 110);

describe('the axis of ratios', () => {
  it.each([
    ['nothing', [], '−0.5 % 0 +0.5 %'],
    ['equal rates', [estimate(1)], '−0.5 % 0 +0.5 %'],
    ['noise', [estimate(0.9999, 1, 1.0001)], '−0.5 % 0 +0.5 %'],
    ['small changes on both sides', [estimate(0.97, 1, 1.03)], '−2 % 0 +2 %'],
    ['small changes on one side', [estimate(0.8, 0.9, 0.95)], '−20 % −15 % −10 % −5 % 0'],
    ['changes up to 50 %', [estimate(0.7, 1, 1.5)], '−20 % 0 +20 % +40 %'],
    ['a change of +140 %', [estimate(2.3, 2.4, 2.5)], '1 ×2'],
    ['a change that is less than ×2', [estimate(1.5, 1.6, 1.7)], '÷2 1 ×2'],
    ['a loss and a gain', [estimate(0.09, 0.1, 0.11), estimate(4, 5, 6)], '÷10 ÷5 ÷2 1 ×2 ×5'],
    ['six decades', [estimate(1e-3, 1e-3, 1e-3), estimate(1e3)], '÷1 k ÷100 ÷10 1 ×10 ×100 ×1 k'],
    ['a ratio of 0', [estimate(0)], '−0.5 % 0 +0.5 %'],
    ['no limits', [estimate(0, 1.2, Number.POSITIVE_INFINITY)], '0 +5 % +10 % +15 % +20 %'],
  ])('of %s names round values, and 1', (_, ratios, texts) => {
    expect(textsOf(ratioScale(ratios))).toBe(texts);
  });

  it('shows equal ratios as equal distances', () => {
    const { place } = ratioScale([estimate(0.1, 1, 10)]);
    expect(place(2) - place(1)).toBeCloseTo(place(1) - place(0.5), 9);
    expect(place(10) - place(1)).toBeCloseTo(place(1) - place(0.1), 9);
  });

  it('fits each side, and leaves nothing out of nine intervals', () => {
    const scale = ratioScale([...few.slice(1), huge]);
    expect([few[0], huge].flatMap((each) => (each ? arrowsOf(scale, each) : []))).toEqual([]);
    expect(scale.place(110)).toBeCloseTo(94, 9);
    expect(scale.place(0.99)).toBeCloseTo(6, 9);
  });

  it('cuts one interval of ten that is more than tenfold beyond the others, with its figures as title', () => {
    const scale = ratioScale([...few, huge]);
    expect(arrowsOf(scale, huge)).toEqual(['right']);
    expect(scale.place(1.02)).toBeCloseTo(94, 9);
    expect(arrowsOf(ratioScale([...few, estimate(9, 10, 10.2)]), estimate(9, 10, 10.2))).toEqual([]);
    const small = estimate(1e-3, 1e-2, 2e-2);
    expect(arrowsOf(ratioScale([...few, small]), small)).toEqual(['left']);
  });

  it('ends intervals without limit in arrows', () => {
    const interval = estimate(0, 1.2, Number.POSITIVE_INFINITY);
    expect(arrowsOf(ratioScale([interval]), interval)).toEqual(['left', 'right']);
    const mark = estimateMark(ratioScale([interval]), interval, (place) => [place, 0], {});
    expect(mark).toContain('<title>+20 % (no limit to no limit)</title>');
    expect(arrowsOf(ratioScale([estimate(0)]), estimate(0))).toEqual(['left']);
  });
});

it.each([
  ['one rate', [estimate(900, 1000, 1100)], '0 500 1 k 1.5 k', 0],
  ['a decade', [estimate(100), estimate(900, 1000, 1100)], '0 500 1 k 1.5 k', 0],
  ['more than a decade', [estimate(90, 99, 110), estimate(900, 1000, 1100)], '100 200 500 1 k', undefined],
  ['six decades', [estimate(1), estimate(1e6)], '1 10 100 1 k 10 k 100 k 1 M', undefined],
  ['a rate of 0', [estimate(0), estimate(900, 1000, 1100)], '0 500 1 k 1.5 k', 0],
  ['only rates of 0', [estimate(0)], '0 0.5 1', 0],
  ['less than one per second', [estimate(0.02), estimate(0.1, 0.1, 0.3)], '0 0.1 0.2 0.3', 0],
  ['intervals from 0', [estimate(0, 10, 20), estimate(0, 2000, 4000)], '10 100 1 k', undefined],
])('the axis of rates of %s begins at 0, unless it is logarithmic', (_, rates, texts, origin) => {
  const scale = rateScale(rates);
  expect({ texts: textsOf(scale), origin: scale.origin }).toEqual({ texts, origin });
});

it.each([
  ['a few digits', 7.1e6, 8.8e6, '7 M 7.5 M 8 M 8.5 M 9 M'],
  ['many digits', 1000.01, 1000.02, '1.00001 k 1.000015 k 1.00002 k'],
  ['one value', 100, 100, '50 100 150'],
  ['0', 0, 0, '0 0.5'],
])('a linear axis names values that differ, of %s', (_, low, high, texts) => {
  expect(textsOf(linearScale(low, high))).toBe(texts);
});

it('texts of ticks that would overlap are left out, at equal steps from the origin', () => {
  const scale = ratioScale([estimate(0.97, 1, 1.03)], 8);
  const shown = (pixels: number) =>
    [...tickTexts(scale, 0, pixels).matchAll(/>([^<]+)</g)].map(([, text]) => text).sort();
  expect(shown(300)).toHaveLength(7);
  expect(shown(170)).toEqual(['+2 %', '0', '−2 %']);
});
