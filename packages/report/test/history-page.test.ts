/// <reference lib="dom" />

import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type HistorySeries, renderHistory } from '../src/page/index.ts';
import { describeInChromium, violationsOf } from './chromium.ts';

const commits = Array.from({ length: 20 }, (_, at) => `${at % 10}`.repeat(20 + at));

interface Made {
  readonly machine?: string;
  /** The index of the commit that halves the values. */
  readonly lossAt?: number;
  /** The index of the first commit that has the case. */
  readonly from?: number;
}

function series(
  benchmark: string,
  text: string,
  { machine = 'm', lossAt, from = 0 }: Made = {},
): HistorySeries {
  const points = commits.slice(from).map((commit, at) => ({
    commit,
    at: new Date(Date.UTC(2026, 0, 1 + from + at)).toISOString(),
    value: lossAt !== undefined && from + at >= lossAt ? 500 : 1000,
    runs: 10,
  }));
  const changes = lossAt === undefined ? [] : [{ index: lossAt - from, before: 1000, after: 500 }];
  return { benchmark, text, machine, measure: 'rate', points, changes };
}

const EVIL = `s='</script><script>document.title="evil"</script><img src=x onerror="document.title='evil'">'`;
const some = [
  series('a.ts', 'n=1', { lossAt: 12 }),
  series('a.ts', 'n=1', { machine: 'other' }),
  series('b.ts', EVIL, { lossAt: 15, from: 5 }),
  series(`${'a-long-directory/'.repeat(6)}c.ts`, `word=${'long'.repeat(30)}`),
];
const page = (list: readonly HistorySeries[]) => renderHistory('A history', list);

describe('the file', () => {
  it('refers to no other file, and runs no script of the data', () => {
    const html = page(some);
    expect(html.match(/(?:src|href)="[^"#][^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect(html).not.toContain('</script><script>document');
  });

  it('says what has changed', () => {
    const html = page(some);
    expect(html).toMatch(/\b2 changes .* 4 series .* 75 values: 2 slower\./);
    expect(html).toMatch(/20 commits, 2026-01-01 .* 2026-01-20/);
    expect(page([series('a.ts', '')])).toMatch(/>No change .* 1 series .* 20 values/);
  });

  it('draws each case, the latest change first, with the commit of each change', () => {
    const figures = page(some).split('<figure ').slice(1);
    expect(figures.map((figure) => /name">(\S+)/.exec(figure)?.[1]?.at(-4))).toEqual(['b', 'a', 'a', 'c']);
    const [ofB, ofA] = figures;
    expect(ofB).toContain('</strong> at <code title="5555');
    expect(ofB).toContain('2026-01-16: 1.000 k → 500.0');
    expect(ofA).toContain(`: 20 values from 1.000 k to 500.0. Changes: −50.0 % at ${commits[12]}.`);
    // The case began at the sixth of 20 commits, and its dots fill the chart.
    expect(ofB?.match(/class="dots" d="M2 (?:[^"]*h0M){14}98 [\d.]+h0"/)).not.toBeNull();
  });
});

it('ends with the versions of the latest session, the machines, the dates and the runs', () => {
  const footer = (versions?: readonly string[]) =>
    /<footer[^>]*>(.*)<\/footer>/
      .exec(renderHistory('A history', some, undefined, versions))?.[1]
      ?.replaceAll(/<[^>]+>/g, '');
  expect(footer()).toBe('m · other · 2026-01-01 to 2026-01-20 · 750 runs');
  expect(footer(['Node.js 26.1.0', 'ufo 1.5.3'])).toMatch(
    /^Node.js 26.1.0, ufo 1.5.3 in the latest session · m/,
  );
});

it('has the title, the author and the link of commits, and folds series without a change', () => {
  const details = { title: 'Parse <b>', author: 'A. Author', url: 'https://host.example/o/r/commit/5' };
  const html = renderHistory('A history', some, new Map([[commits[15] ?? '', details]]));
  expect(html).toMatch(
    /<a href="https:..host.example.o.r.commit.5"><code [^>]+>5+<.code><.a> Parse [^<]+b[^<]+<span class="muted">A. Author · measured/,
  );
  expect(html).toMatch(/class="folded"><summary>2 series without a change/);
  expect(page([series('a.ts', '')])).toContain('class="folded" open>');
});

describeInChromium('the page of a history in Chromium', ({ opened, show, problems }) => {
  let tab: Page;
  beforeEach(async () => {
    tab = opened();
    await tab.setViewportSize({ width: 1280, height: 800 });
    await show(page(some));
  });

  it('opens the chart of a change', async () => {
    await tab.getByRole('link', { name: 'a.ts n=1' }).click();
    expect(await tab.locator('figure:target .name').textContent()).toBe('a.ts n=1');
    expect(await tab.title()).toBe('A history');
    expect(problems).toEqual([]);
  });

  it('shows the charts that have the words of a search, also folded ones', async () => {
    expect(await tab.locator('figure:visible').count()).toBe(2);
    await tab.getByLabel('Search').fill('C.TS long');
    expect(await tab.locator('figure:visible').count()).toBe(1);
    expect(await tab.getByRole('status').textContent()).toBe('1 of 4 charts');
  });

  it.each([
    [375, 'dark'],
    [1280, 'light'],
  ] as const)('fits %i pixels in %s, and axe finds nothing', async (width, colorScheme) => {
    await tab.setViewportSize({ width, height: 800 });
    await tab.emulateMedia({ colorScheme });
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await violationsOf(tab)).toEqual([]);
  });
});
