/// <reference lib="dom" />

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HistorySeries, renderHistory } from '../src/page/index.ts';
import { launchChromium, noChromium } from './chromium.ts';

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
const many = Array.from({ length: 2000 }, (_, at) =>
  series(`bench-${at}.ts`, `case=${at}`, at % 50 === 0 ? { lossAt: 10 } : {}),
);
const page = (list: readonly HistorySeries[]) => renderHistory({ title: 'A history', series: list });

describe('the file', () => {
  it('refers to no other file, and runs no script of the data', () => {
    const html = page(some);
    expect(html.match(/(?:src|href)="[^"#][^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect(html).not.toContain('</script><script>document');
  });

  it('repeats no commit for each case: 2,000 cases over 20 commits are below 500 kB', () => {
    expect(page(many).length).toBeLessThan(500e3);
  });

  it('says what has changed, without JavaScript', () => {
    const html = page(some);
    expect(html).toMatch(/\b2 changes .* 4 series .* 75 values: 2 slower, 0 faster/);
    expect(html).toMatch(/20 commits, 2026-01-01 .* 2026-01-20/);
    expect(page([series('a.ts', '')])).toMatch(/>No change .* 1 series .* 20 values/);
  });
});

const skipped = noChromium === undefined ? '' : ` (skipped: ${noChromium})`;

describe.skipIf(noChromium !== undefined)(`the page of a history in Chromium${skipped}`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-history-'));
  let browser: Browser;
  let tab: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    writeFileSync(join(directory, 'some.html'), page(some));
    writeFileSync(join(directory, 'many.html'), page(many));
    browser = await launchChromium();
    tab = await browser.newPage();
    tab.setDefaultTimeout(60_000);
    tab.on('pageerror', (error) => problems.push(error.message));
    tab.on('console', (message) => problems.push(message.text()));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(directory, { recursive: true });
  });
  beforeEach(async () => {
    problems.length = 0;
    await tab.setViewportSize({ width: 1280, height: 800 });
    await tab.goto(`file://${join(directory, 'some.html')}`);
  });

  const status = () => tab.getByRole('status').textContent();
  const names = () => tab.locator('#series figcaption .name').allTextContents();
  const chartOf = (at: number) => tab.locator('#series figure').nth(at);

  it('draws each case, the latest change first, with the commit of each change', async () => {
    expect((await names()).slice(0, 2)).toEqual([`b.ts ${EVIL}`, 'a.ts n=1']);
    expect(await chartOf(0).locator('.changes').textContent()).toBe(
      ' −50.0 % at 5555555555, 2026-01-16: 1.000k → 500.0',
    );
    expect(await chartOf(1).getByRole('img').getAttribute('aria-label')).toBe(
      `a.ts n=1: 20 values from 1.000k to 500.0. Changes: −50.0 % at ${commits[12]}.`,
    );
    // The case began at the sixth of 20 commits, and its dots fill the chart.
    const dots = await chartOf(0).locator('path.dots').last().getAttribute('d');
    expect(dots?.split('h0').filter(Boolean)).toHaveLength(15);
    expect(dots).toMatch(/^M2 .*M98 [\d.]+h0$/);
    expect(await tab.title()).toBe('A history');
    expect(problems).toEqual([]);
  });

  it('searches names and the commits of changes, and filters by machine and by change', async () => {
    await tab.getByLabel('Search').fill('A.TS n=1');
    expect(await status()).toBe('2 (of 4) charts');
    await tab.getByLabel('Machine').selectOption('other');
    expect(await status()).toBe('1 (of 4) chart');
    await tab.getByLabel('with changes').check();
    expect(await status()).toBe('No chart matches');
    await tab.getByRole('button', { name: '2222222222' }).click();
    expect(await names()).toEqual(['a.ts n=1']);
    expect(await tab.getByLabel('Search').inputValue()).toBe(commits[12]);
  });

  it('shows the value below the pointer, and all values as a table', async () => {
    const over = chartOf(1).locator('.over');
    const { width = 0 } = (await over.boundingBox()) ?? {};
    await over.hover({ position: { x: width * 0.98, y: 40 } });
    expect(await over.locator('.tip').textContent()).toBe('9999999999, 2026-01-20: 500.0');
    const summary = chartOf(1).locator('summary');
    await summary.focus();
    await tab.keyboard.press('Enter');
    const rows = chartOf(1).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    expect(await rows.nth(7).locator('th, td').allTextContents()).toEqual([
      '2222222222',
      '2026-01-13',
      '500.0',
      '10',
      '−50.0 %',
    ]);
  });

  it('has pages of charts, and opens the chart of a change on any of them', async () => {
    await tab.goto(`file://${join(directory, 'many.html')}`);
    expect(await status()).toBe('1 to 48 of 2000 charts');
    await tab.getByLabel('Sort by').selectOption('name');
    await tab.getByRole('button', { name: 'Next' }).click();
    expect(await status()).toBe('49 to 96 of 2000 charts');
    await tab.getByRole('button', { name: 'bench-100.ts case=100' }).click();
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('series-100');
  });

  it.each([
    [375, 'light'],
    [375, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('fits %i pixels in %s, and axe finds nothing', async (width, colorScheme) => {
    await tab.setViewportSize({ width, height: 800 });
    await tab.emulateMedia({ colorScheme });
    await chartOf(0).locator('summary').click();
    await chartOf(0).locator('tbody tr').first().waitFor();
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const violations = await tab.evaluate(`${axe.source}; axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`);
    expect(violations).toEqual([]);
  });
});
