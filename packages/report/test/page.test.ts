/// <reference lib="dom" />

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SamplePair, samplePairs } from '@bench-cli/results';
import { compareFixed, compareSequentially } from '@bench-cli/stats';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { type ReportContent, renderReport } from '../src/page/index.ts';
import { launchChromium, noChromium } from './chromium.ts';

const SPREAD = [-3, -2, 1, 0, -1, 2, 3, 1.5, -1.5, 0.5];
const around = (mean: number) => SPREAD.map((offset) => mean * (1 + offset / 1000));
const EVIL = `s='</script><script>document.title="evil"</script><img src=x onerror="document.title='evil'">'`;

function content(pairs: readonly SamplePair[], more: Partial<ReportContent> = {}): ReportContent {
  return {
    title: 'A report',
    oldName: 'Node.js 22',
    newName: 'Node.js 26',
    pairs,
    list: compareFixed(pairs),
    facts: [{ name: 'CPU', value: 'a CPU' }],
    command: 'bench-cli compare --old node@22 --new node@26 url',
    commandFor: ({ benchmark }) => `bench-cli compare ${benchmark}`,
    failedRuns: [],
    failedBenchmarks: [],
    ...more,
  };
}

const pair = (benchmark: string, text: string, change: number): SamplePair =>
  pairOf(benchmark, text, around(1e6), around(1e6 * (1 + change)));

const few = [
  pair('url/parse.js', 'len=16', -0.2),
  pair('url/parse.js', 'len=1024', 0.1),
  pair('path/join.js', EVIL, 0),
  pairOf('path/join.js', 'n=1', [3e60], []),
];
const many = Array.from({ length: 5000 }, (_, at) => {
  const mean = 1000 * (1 + (at % 977));
  const runs = (shift: number) =>
    Array.from({ length: 30 }, (_, run) => mean * (1 + shift + ((run * 7919 + at * 31) % 101) / 2500));
  return pairOf(
    `group${at % 20}/bench-${at % 50}.js`,
    `n=1000000 len=${2 ** (at % 12)} encoding='ascii' case=${at}`,
    runs(0),
    runs(at % 9 === 0 ? -0.1 : 0),
  );
});

describe('the file', () => {
  it('refers to no other file', () => {
    const html = renderReport(content(few));
    expect(html.match(/(?:src|href)="[^"#][^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });

  it('escapes every text', () => {
    const evil = '<b id="evil">&</b>';
    const html = renderReport(
      content(few, {
        title: evil,
        oldName: evil,
        newName: evil,
        command: evil,
        facts: [{ name: evil, value: evil }],
        failedRuns: [{ name: evil, value: evil }],
        failedBenchmarks: [{ name: evil, value: evil }],
        commandFor: () => evil,
      }),
    );
    expect(html).not.toContain('<b id');
    expect(html).not.toContain('</script><script>document');
    // Each text of the content, and twice the title and the names of the subjects, which the sentence repeats.
    expect(html.match(/&#60;b id&#61;&#34;evil&#34;&#62;&#38;&#60;\/b&#62;/g)).toHaveLength(
      2 + 2 + 2 + 1 + 3 * 2,
    );
  });

  it('allows only its own script and style', () => {
    const html = renderReport(content(few));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    const digestOf = (text: string | undefined) =>
      `&#39;sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')
        .replaceAll('=', '&#61;')}&#39;`;
    const style = digestOf(/<style>(.*?)<\/style>/s.exec(html)?.[1]);
    const script = digestOf(/<script type="module">(.*?)<\/script>/s.exec(html)?.[1]);
    expect(policy).toBe(
      `default-src &#39;none&#39;; style-src ${style}; script-src ${script}; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
    );
    expect(html.match(/<script\b/g)).toHaveLength(2);
  });

  it('of adaptive runs has only the figures of their method', () => {
    const runs = [0, 1, 2, 3].flatMap((round) =>
      (['old', 'new'] as const).map((subject) => ({
        benchmark: 'a.js',
        configuration: { n: 1 },
        subject,
        round,
        rate: (subject === 'old' ? 100 : 120) * (1 + round / 1000),
      })),
    );
    const pairs = samplePairs(runs);
    const list = compareSequentially(runs, {}, undefined, pairs);
    const html = renderReport(content(pairs, { list }));
    expect(html).toContain('Adaptive number of runs.');
    expect(html).not.toContain('Welch');
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
    const [row] = JSON.parse(data).rows;
    expect(row).toMatchObject({ method: 'sequential', verdict: 'faster' });
    expect(Object.keys(row)).not.toContain('rankP');
    expect(Object.keys(row)).not.toContain('effect');
  });

  it('of 5,000 comparisons of 60 runs is below 5 MB', () => {
    expect(renderReport(content(many)).length).toBeLessThan(5e6);
  });
});

const skipped = noChromium === undefined ? '' : ` (skipped: ${noChromium})`;

describe.skipIf(noChromium !== undefined)(`the page in Chromium${skipped}`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-report-'));
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    writeFileSync(join(directory, 'few.html'), renderReport(content(few)));
    writeFileSync(join(directory, 'many.html'), renderReport(content(many)));
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(5000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(`request of ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(directory, { recursive: true });
  });

  const open = (name: string) => page.goto(`file://${join(directory, name)}`);
  const names = () => page.locator('#comparisons tbody th').allTextContents();
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true });

  describe('with a few comparisons', () => {
    beforeEach(async () => {
      problems.length = 0;
      await open('few.html');
    });

    it('shows losses first, runs no script of the data, and sends no request', async () => {
      expect((await names())[0]).toBe('url/parse.js len=16');
      expect(await page.title()).toBe('A report');
      expect(await page.getByText('onerror=').count()).toBeGreaterThan(0);
      for (const toggle of await page.locator('.toggle').all()) await toggle.click();
      expect(await page.title()).toBe('A report');
      expect(problems).toEqual([]);
    });

    it('is a table with a sort order for assistive technology', async () => {
      expect(await header('Verdict').getAttribute('aria-sort')).toBe('ascending');
      await header('Change').getByRole('button').click();
      expect(await header('Change').getAttribute('aria-sort')).toBe('ascending');
      expect(await header('Verdict').getAttribute('aria-sort')).toBe('none');
      const first = await names();
      await header('Change').getByRole('button').click();
      expect(await header('Change').getAttribute('aria-sort')).toBe('descending');
      // The row without a change stays last.
      const [missing, ...changes] = first.toReversed();
      expect(await names()).toEqual([...changes, missing]);
      expect(await page.getByRole('rowheader').count()).toBe(4);
    });

    it('filters by words and by verdict, and shows the number of matches', async () => {
      await page.getByLabel('Filter').fill('PARSE 1024');
      expect(await names()).toEqual(['url/parse.js len=1024']);
      expect(await page.getByRole('status').textContent()).toBe('1 to 1 of 1 (filtered from 4)');
      await page.getByLabel('Filter').fill('');
      const slower = page.getByRole('button', { name: '1 slower' });
      await slower.click();
      expect(await slower.getAttribute('aria-pressed')).toBe('true');
      expect(await names()).toEqual(['url/parse.js len=16']);
      await slower.click();
      expect((await names()).length).toBe(4);
      await page.getByLabel('survive the correction').check();
      expect((await names()).length).toBe(2);
    });

    it('opens the details of a row by keyboard', async () => {
      const toggle = page.getByRole('button', { name: 'url/parse.js len=16' }).last();
      await toggle.focus();
      await page.keyboard.press('Enter');
      expect(await toggle.getAttribute('aria-expanded')).toBe('true');
      const chart = page.getByRole('img', { name: /Distribution of the rates/ });
      expect(await chart.getAttribute('aria-label')).toContain('old: 10 runs from 997k to 1.003M');
      expect(await page.locator('svg[role=img] .run').count()).toBe(40);
      expect(await page.locator('tr.details code').textContent()).toBe('bench-cli compare url/parse.js');
      await page.keyboard.press('Enter');
      expect(await page.locator('tr.details').count()).toBe(0);
    });

    it('opens the row of a finding', async () => {
      await page.getByLabel('Filter').fill('nothing');
      await page.locator('.findings button').first().click();
      expect(await page.locator('tr.details').count()).toBe(1);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
    });

    it.each(['light', 'dark'] as const)('has no violations that axe finds, in %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.locator('.toggle').first().click();
      // An expression, because the policy of the page blocks further script elements.
      const violations = await page.evaluate(`${axe.source}; axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`);
      expect(violations).toEqual([]);
    });

    it('shows the focus, in light and in dark', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.keyboard.press('Tab');
        const look = await page.evaluate(() => ({
          outline: getComputedStyle(document.activeElement ?? document.body).outlineStyle,
          paper: getComputedStyle(document.body).backgroundColor,
        }));
        expect(look).toEqual({
          outline: 'solid',
          paper: colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)',
        });
      }
    });
  });

  describe('with 5,000 comparisons', () => {
    // `pnpm bench:self` measures how long this takes.
    it('sorts and filters all of them', async () => {
      await open('many.html');
      await header('p').getByRole('button').click();
      await page.getByRole('searchbox').fill('case=499');
      expect(await page.getByRole('status').textContent()).toBe('1 to 11 of 11 (filtered from 5000)');
    });

    it('has pages of 100 rows', async () => {
      await open('many.html');
      expect((await names()).length).toBe(100);
      await page.getByRole('button', { name: 'Next' }).click();
      expect(await page.getByRole('status').textContent()).toBe('101 to 200 of 5000');
    });
  });
});
