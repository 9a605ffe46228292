/// <reference lib="dom" />

import { createHash } from 'node:crypto';
import { csvResults, type SamplePair, samplePairs } from '@bench-cli/results';
import { compareFixed, compareMetrics, compareSequentially, judgeResults } from '@bench-cli/stats';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oldAndNew, pairOf } from '../../../test/support/pairs.ts';
import { empty, run } from '../../../test/support/recording.ts';
import type { Explanation } from '../src/explanation.ts';
import { methodNames } from '../src/method-text.ts';
import { type ReportContent, renderRatesPage, renderReport } from '../src/page/index.ts';
import { rateGroups } from '../src/rate-groups.ts';
import { describeInChromium, violationsOf } from './chromium.ts';

const SPREAD = [-3, -2, 1, 0, -1, 2, 3, 1.5, -1.5, 0.5];
const around = (mean: number) => SPREAD.map((offset) => mean * (1 + offset / 1000));
const EVIL = `s='</script><script>document.title="evil"</script><img src=x onerror="document.title='evil'">'`;

function content(pairs: readonly SamplePair[], more: Partial<ReportContent> = {}): ReportContent {
  return {
    title: 'A report',
    ...judgeResults(csvResults({ subjects: oldAndNew, pairs })),
    names: new Map([
      ['old', 'Node.js 22'],
      ['new', 'Node.js 26'],
    ]),
    facts: [{ name: 'CPU', value: 'a CPU' }],
    command: 'bench-cli compare --old node@22 --new node@26 url',
    commandFor: ({ benchmark }) => `bench-cli compare ${benchmark}`,
    ...more,
  };
}

const pair = (benchmark: string, text: string, change: number): SamplePair =>
  pairOf(benchmark, text, around(1e6), around(1e6 * (1 + change)));

function rowsOf(html: string) {
  const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(data).rows;
}

const few = [
  pair('url/parse.js', 'len=16', -0.2),
  pair('url/parse.js', 'len=1024', 0.1),
  pair('path/join.js', EVIL, 0),
  pairOf('path/join.js', 'n=1', [3e60], []),
];
const long = [1, 2].map((n) =>
  pair(`${'a-long-directory/'.repeat(6)}benchmark.ts`, `description='${'word'.repeat(30)}' n=${n}`, n / 100),
);
const runtimes = { v22: 'Node.js 22', v24: 'Node.js 24', v26: 'Node.js 26', bun: 'Bun 1' };
const fourNames = new Map(Object.entries(runtimes));
const four = [1, 2].flatMap((n) =>
  Object.entries({ v24: 1.0001, v26: 1 + n / 10, bun: 0.9999 + n / 10 }).map(([subject, ratio]) => ({
    ...pairOf('a.js', `n=${n}`, around(1e6), around(1e6 * ratio)),
    baseline: 'v22',
    subject,
  })),
);
const subjects = [...fourNames.keys()];
/** Runs of which the subjects have different numbers, and whose rates drift. */
const unevenRuns = subjects.flatMap((subject, at) =>
  Array.from({ length: 12 - at }, (_, round) => ({
    ...{ benchmark: 'a.js', configuration: { n: 1 }, subject, round },
    values: { rate: 1e5 * (1 + at / 10) * (1 + ((round * 7) % 5) / 4 + round / 20) },
  })),
);
const uneven = samplePairs(unevenRuns, subjects);
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

const alloc = { name: 'alloc', title: 'bytes allocated per operation', unit: 'B', negligible: 1 };
const metrics = compareMetrics([{ metric: { ...alloc, better: 'less' }, pairs: few }]);
const why: Explanation = {
  name: `url/parse.js ${EVIL}`,
  old: 'Node.js 22',
  new: 'Node.js 26',
  profiles: 10,
  time: [{ part: 'parse lib/url.js', old: 10, new: 50, difference: 40, low: 30, high: 50, adjustedP: 0.001 }],
  notes: ['garbage is collected only under new: 3 ns per operation'],
};

/** Rates of `run`, of two benchmarks. */
function ratesPage(): string {
  const samples = [1, 2, 3, 3e3].map((rate, n) => ({
    ...{ benchmark: 'a.js', configuration: { name: `${n}${'word'.repeat(30)}` }, first: null },
    rates: around(1e3 * rate),
  }));
  const groups = [samples.slice(0, 2), samples].flatMap((each) => rateGroups(each, { files: [] }));
  return renderRatesPage({ title: 'Rates', groups, legend: 'ops/s', recordings: [] });
}

describe('the file', () => {
  it('refers to no other file', () => {
    const html = renderReport(content(few));
    expect(html.match(/(?:src|href)="[^"#][^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });

  it('names the method of a table, with the test that rounds in turns have', () => {
    const turns = few.map((each) => ({ ...each, inTurns: true }));
    const byCpuTime = turns.map((each) => ({ ...each, byCpuTime: true }));
    const texts = [few, turns, byCpuTime].map((pairs) => {
      const { name, test } = methodNames(content(pairs).list);
      expect(renderReport(content(pairs))).toContain(
        `${name.slice(1)}.</strong> Test: ${test.replaceAll("'", '&#39;')}.`,
      );
      return name + test;
    });
    expect(new Set(texts).size).toBe(3);
  });

  it('escapes every text', () => {
    const evil = '<b id="evil">&</b>';
    const failure = { kind: 'threw', message: evil, output: '' } as const;
    const html = renderReport(
      content(few, {
        title: evil,
        names: new Map([
          ['old', evil],
          ['new', evil],
        ]),
        command: evil,
        facts: [{ name: evil, value: evil }],
        recordings: [
          {
            ...empty,
            runs: [{ ...run, status: 'failed', benchmark: evil, configuration: {}, failure }],
            failures: [{ type: 'failure', phase: 'plan', benchmark: evil, subject: 'old', failure }],
          },
        ],
        commandFor: () => evil,
      }),
    );
    expect(html).not.toContain('<b id');
    expect(html).not.toContain('</script><script>document');
    // Each text of the content; the title twice; the subjects in their list, in the sentences, and as headers with their hints.
    expect(html.match(/&#60;b id&#61;&#34;evil&#34;&#62;&#38;&#60;\/b&#62;/g)).toHaveLength(
      2 + (2 + 3 + 2 * 2) + 1 + 3 * 2,
    );
  });

  it('shows control characters of parameters as text, also where it groups by them', () => {
    const [first] = rowsOf(
      renderReport(content([pair('a.js', "a\u202e='b\u202e\\n' c=1", 0), pair('a.js', 'c=2', 0)])),
    );
    expect(JSON.stringify(first.parameters)).not.toMatch(/\u202e/);
  });

  it('keeps options and numbers with their units on one line', () => {
    const html = renderReport(content(few, { command: 'bench-cli compare --fail-on 2.5 % --x=1 a--b' }));
    const [, command = ''] = /<code>(bench-cli compare.*?)<\/code>/s.exec(html) ?? [];
    const words = [...command.matchAll(/<span class="word">(.*?)<\/span>/g)].map(([, word]) => word);
    expect(words).toEqual(['--fail-on', '2.5 %', '--x']);
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
});

describeInChromium('the page in Chromium', ({ opened, show, problems }) => {
  let page: Page;
  let whole: string;
  /** More rows than a page has, in less time. */
  let hundreds: string;
  beforeAll(() => {
    page = opened();
    whole = renderReport(content(many));
    hundreds = renderReport(content(many.slice(0, 600)));
    expect(whole.length, 'keep the data of page/payload.ts small').toBeLessThan(5e6);
  });

  const names = () => page.locator('#comparisons tbody th[scope=row]').allTextContents();
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
  const picture = () => page.getByRole('img', { name: /^Changes with their intervals/ });
  /** The number of texts of ticks that overlap their neighbour. */
  const overlappingTicks = () =>
    page.evaluate(() => {
      const axes = Array.from(document.querySelectorAll('svg'), (svg) => {
        const boxes = Array.from(svg.querySelectorAll('.tick.middle'), (tick) =>
          tick.getBoundingClientRect(),
        );
        const ticks = boxes.sort((a, b) => a.left - b.left);
        return ticks.filter(({ left }, at) => left < (ticks[at - 1]?.right ?? left)).length;
      });
      return axes.reduce((sum, count) => sum + count, 0);
    });
  const marks = () => page.locator('#overview .estimate').count();

  describe('with a few comparisons', () => {
    beforeEach(async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
      await show(renderReport(content(few)));
    });

    it('shows losses first, runs no script of the data, and sends no request', async () => {
      expect((await names())[0]).toBe('len=16');
      expect(await page.title()).toBe('A report');
      expect(await page.getByText('onerror=').count()).toBeGreaterThan(0);
      await page.evaluate(() => {
        for (const toggle of document.querySelectorAll<HTMLElement>('.toggle')) toggle.click();
      });
      expect(await page.title()).toBe('A report');
      expect(problems).toEqual([]);
    });

    it('shows the rates of both subjects, the change and its interval', async () => {
      const row = page.getByRole('row', { name: 'len=16' });
      const figures = ['1.000 M', '800.0 k', '−20.0 %', '−20.2 to −19.8 %', '10 + 10'];
      expect(await row.getByRole('cell').allTextContents()).toEqual([' slower', ...figures]);
      expect(await header('Node.js 22').count()).toBe(1);
    });

    it('shows all changes with their intervals in one picture', async () => {
      expect(await picture().getAttribute('aria-label')).toContain('1 slower, 1 faster of 4.');
      // One of the four has no change.
      expect(await marks()).toBe(3);
      expect(await page.locator('.lane-title').allTextContents()).toEqual(['url/parse.js', 'path/join.js']);
    });

    it('is a table with a sort order for assistive technology', async () => {
      await page.getByLabel('Group by').selectOption('nothing');
      expect(await header('Verdict').getAttribute('aria-sort')).toBe('ascending');
      await header('Change').getByRole('button').click();
      expect(await header('Change').getAttribute('aria-sort')).toBe('ascending');
      expect(await header('Verdict').getAttribute('aria-sort')).toBe('none');
      // Those without a difference count as 0, also the one without a change.
      const [loss, ...others] = await names();
      const gain = others.pop();
      expect([loss, gain]).toEqual(['url/parse.js len=16', 'url/parse.js len=1024']);
      await header('Change').getByRole('button').click();
      expect(await header('Change').getAttribute('aria-sort')).toBe('descending');
      expect(await names()).toEqual([gain, ...others, loss]);
      expect(await page.getByRole('rowheader').count()).toBe(4);
    });

    it('searches words, filters by verdict, and shows the number of matches, also in the picture', async () => {
      await page.getByLabel('Search').fill('PARSE 1024');
      expect(await names()).toEqual(['len=1024']);
      expect(await page.getByRole('status').textContent()).toBe('1 (of 4) comparison');
      expect(await marks()).toBe(1);
      await page.getByLabel('Search').fill('');
      await show(renderReport(content([...few, pair('path/join.js', 'n=2', 0)])));
      const slower = page.getByRole('button', { name: '1 slower' });
      await slower.click();
      expect(await slower.getAttribute('aria-pressed')).toBe('true');
      expect(await names()).toEqual(['len=16']);
      await slower.click();
      expect((await names()).length).toBe(5);
    });

    it('groups by benchmark, or by a parameter, without pages', async () => {
      const headings = page.locator('.heading');
      expect(await headings.allTextContents()).toEqual(['url/parse.js', 'path/join.js']);
      await page.getByLabel('Group by').selectOption('len');
      expect(await headings.allTextContents()).toEqual(['len=16', 'len=1024', 'without len']);
      expect((await names())[0]).toBe('url/parse.js len=16');
      expect(await page.getByRole('button', { name: 'Next' }).isVisible()).toBe(false);
      expect(await page.getByRole('status').textContent()).toBe('4 comparisons');
    });

    it('opens the details of a row by keyboard', async () => {
      const toggle = page.getByRole('button', { name: 'len=16', exact: true });
      await toggle.focus();
      await page.keyboard.press('Enter');
      expect(await toggle.getAttribute('aria-expanded')).toBe('true');
      const chart = page.getByRole('img', { name: /Distribution of the runs/ });
      expect(await chart.getAttribute('aria-label')).toContain('Node.js 22: 10 runs from 997.0 k to 1.003 M');
      expect(await page.locator('svg[role=img] .run').count()).toBe(40);
      expect(await page.locator('tr.details code').textContent()).toBe('bench-cli compare url/parse.js');
      expect(await page.locator('tr.details .tests').textContent()).toContain('(−20.16 to −19.84 %)');
      await page.keyboard.press('Enter');
      expect(await page.locator('tr.details').count()).toBe(0);
    });

    it('draws few runs as points without a box', async () => {
      await page.setContent(renderReport(content([pairOf('a.js', 'n=1', [100, 101, 102], [200, 201, 202])])));
      await page.locator('.toggle').click();
      expect(await page.locator('.samples .run').count()).toBeGreaterThan(6);
      expect(await page.locator('.samples .box').count()).toBe(0);
    });

    it('shows the focus, in light and in dark', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.keyboard.press('Tab');
        const look = await page.evaluate(() => ({
          outline: getComputedStyle(document.activeElement ?? document.body).outlineStyle,
          paper: getComputedStyle(document.body).backgroundColor,
        }));
        const paper = colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)';
        expect(look).toEqual({ outline: 'solid', paper });
      }
    });
  });

  describe('with four subjects', () => {
    beforeEach(async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.setContent(renderReport(content(four, { names: fourNames })));
    });

    it('names the subject of each comparison, and its ties', async () => {
      expect(
        await page.getByRole('list', { name: 'Subjects' }).getByRole('listitem').allTextContents(),
      ).toEqual([' Node.js 22 baseline', ' Node.js 24', ' Node.js 26', ' Bun 1']);
      const subjects = await page.locator('td.subject').allTextContents();
      // Node.js 24 is as fast as the baseline, Bun as Node.js 26.
      expect(subjects.slice(2)).toEqual([' Node.js 26 b', ' Bun 1 b', ' Node.js 24 a', ' Node.js 24 a']);
      await page.locator('.toggle').first().click();
      const cells = page.getByRole('row', { name: 'Tied' }).getByRole('cell');
      expect(await cells.allTextContents()).toEqual(['a', 'a', 'b', 'b']);
      const chart = page.getByRole('img', { name: /Distribution of the runs/ });
      for (const name of fourNames.values())
        expect(await chart.getAttribute('aria-label')).toContain(`${name}: 10 runs`);
    });

    it('has the orders of a phone beside each other, on one line each, whatever the baseline is called', async () => {
      await page.setViewportSize({ width: 375, height: 800 });
      const names = new Map([
        ...fourNames,
        [[...fourNames.keys()][0] ?? '', `Node.js ${'with a name '.repeat(8)}`],
      ]);
      await page.setContent(renderReport(content(four, { names })));
      const orders = await page.locator('#comparisons > thead button:visible').all();
      const boxes = await Promise.all(orders.map((each) => each.boundingBox()));
      // What does not fit is cut without a trace where the height is limited.
      const heights = await Promise.all(orders.map((each) => each.evaluate((button) => button.scrollHeight)));
      expect(new Set(heights)).toEqual(new Set([44]));
      const [configuration, subject] = boxes;
      const gap = (subject?.x ?? 0) - (configuration?.x ?? 0) - (configuration?.width ?? 0);
      expect([configuration?.y === subject?.y, gap]).toEqual([true, 20]);
      expect(Math.max(...boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0)))).toBeLessThanOrEqual(375);
    });

    it('says on a phone which side has no runs', async () => {
      await page.setViewportSize({ width: 375, height: 800 });
      await page.setContent(renderReport(content([pairOf('a.js', 'n=1', [100, 101, 102], [])])));
      const unitOf = (side: string) =>
        page.locator(`td.${side}`).evaluate((cell) => getComputedStyle(cell, '::after').content);
      expect(await page.locator('td.old, td.new').allTextContents()).toEqual(['101.0', 'not run']);
      expect((await page.locator('td.verdict').textContent())?.trim()).toBe('not run');
      expect(await unitOf('new')).toBe('none');
    });

    it('shows each warning about a configuration once, with the subject', async () => {
      const few = four.map((it) => ({ ...it, old: [100, 101, 102, 103], new: [100, 101, 102, 103] }));
      await page.setContent(renderReport(content(few, { names: fourNames })));
      await page.locator('.toggle').first().click();
      const warnings = await page.locator('.warnings li').allTextContents();
      expect(warnings.map((text) => text.split(':')[0]).sort()).toEqual([...fourNames.values()].sort());
    });

    it.each([
      ['a fixed number of runs', () => compareFixed(uneven)],
      ['adaptive runs', () => compareSequentially({ runs: unevenRuns, subjects, options: {} }, uneven)],
    ])('shows one mean of a subject in a configuration, of %s', async (_, list) => {
      await page.setContent(renderReport(content(uneven, { names: fourNames, list: list() })));
      await page.locator('.toggle').first().click();
      const means = await page.locator('.figures tr:has(th:text-is("Mean")) td').allTextContents();
      const rows = page.locator('#comparisons > tbody > tr:not(.details)');
      const olds = await rows.locator('td.old').allTextContents();
      const others = await rows.locator('td.new').allTextContents();
      expect(new Set(olds)).toEqual(new Set(means.slice(0, 1)));
      expect(others.toSorted()).toEqual(means.slice(1).toSorted());
    });

    it('groups by subject and by configuration', async () => {
      const headings = page.locator('.heading');
      await page.getByLabel('Group by').selectOption('subject');
      expect(await headings.allTextContents()).toEqual(['Node.js 26', 'Bun 1', 'Node.js 24']);
      await page.getByLabel('Group by').selectOption('case');
      expect(await headings.allTextContents()).toEqual(['a.js n=2', 'a.js n=1']);
      expect((await names()).slice(3)).toEqual(['Node.js 26', 'Bun 1', 'Node.js 24']);
    });
  });

  const widths = [
    [375, 'dark'],
    [1440, 'light'],
  ] as const;
  const contents = {
    'a few comparisons': () => renderReport(content([...few, ...long])),
    'four subjects': () => renderReport(content(four, { names: fourNames })),
    'metrics and explanations': () => renderReport(content(few, { metrics, explanations: [why] })),
    'rates of run': ratesPage,
  };
  describe.each(Object.entries(contents))('with %s', (_, html) => {
    it.each(widths)('fits %i pixels in %s, with letters of 12 or more, and passes axe', async (...screen) => {
      const [width, colorScheme] = screen;
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, media: 'screen' });
      await show(html());
      const { hidden, small } = await page.evaluate(() => {
        for (const toggle of document.querySelectorAll<HTMLElement>('.toggle')) toggle.click();
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const sizes: number[] = [];
        while (texts.nextNode()) {
          const { parentElement } = texts.currentNode;
          if (parentElement?.checkVisibility() && texts.currentNode.textContent?.trim())
            sizes.push(Number.parseFloat(getComputedStyle(parentElement).fontSize));
        }
        const small = sizes.filter((size) => size < 12).length;
        const tables = [document.documentElement, ...document.querySelectorAll('.rates')];
        const hidden = Math.max(...tables.map((each) => each.scrollWidth - each.clientWidth));
        return { hidden, small };
      });
      const overlapping = await overlappingTicks();
      expect({ hidden, small, overlapping }).toEqual({ hidden: 0, small: 0, overlapping: 0 });
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  describe('with metrics and explanations', () => {
    beforeEach(async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await show(renderReport(content([...few, ...long], { metrics, explanations: [why] })));
    });

    it('has a tile for each difference of a metric, which leads to its table', async () => {
      const tile = page.locator('.verdicts a[href="#metrics"]');
      expect(await tile.allInnerTexts()).toEqual(['1\n more alloc', '1\n less alloc']);
      const classes = await tile.evaluateAll((all) => all.map(({ className }) => className));
      expect(classes).toEqual(['slower', 'faster']);
    });

    it('says whether more of a metric is better or worse', async () => {
      const row = page.getByRole('row', { name: 'url/parse.js len=16' }).last();
      const figures = ['1.00 MB', '800 kB', '-20.0 %', '-20.2 % to -19.8 %'];
      expect(await row.getByRole('cell').allTextContents()).toEqual([' less', ...figures]);
      // Less is better.
      expect(await row.getAttribute('class')).toBe('faster');
    });
  });

  describe('with 5,000 comparisons', () => {
    // `pnpm bench:self` measures how long this takes.
    it('sorts and searches all of them, and has pages of 100 rows', async () => {
      await show(whole);
      expect((await names()).length).toBe(100);
      await page.getByRole('button', { name: 'Next' }).click();
      expect(await page.getByRole('status').textContent()).toBe('101 to 200 of 5000 comparisons');
      await header('Runs').getByRole('button').click();
      await page.getByRole('searchbox').fill('case=499');
      expect(await page.getByRole('status').textContent()).toBe('11 (of 5000) comparisons');
    });

    it('shows the groups of the first rows in the picture, and all on request', async () => {
      await show(whole);
      expect(await page.locator('#overview .lane-name').count()).toBe(12);
      await page.getByRole('button', { name: 'Show all 100 groups' }).click();
      expect(await marks()).toBe(5000);
    });

    it('names the comparison below the pointer, and opens it on a click', async () => {
      await show(hundreds);
      const plot = page.locator('.plot').first();
      await plot.hover({ position: { x: 10, y: 6 } });
      expect(await plot.locator('.tip').textContent()).toMatch(/^len=\d+ case=\d+: slower, −\d+\.\d % \(/);
      await plot.click({ position: { x: 10, y: 6 } });
      expect(await page.locator('tr.details').count()).toBe(1);
    });

    it('names comparisons by arrow keys and by touch, and opens one by Enter and by a second touch', async () => {
      await show(hundreds);
      const plot = page.locator('.plot').first();
      const named = async () => (await plot.locator('.tip:visible').allTextContents())[0]?.split(':')[0];
      await page.locator('#warned').focus();
      await page.keyboard.press('Tab');
      const first = await named();
      await page.keyboard.press('ArrowDown');
      const second = await named();
      expect([first, second]).toEqual([expect.stringMatching(/^len=/), expect.stringMatching(/^len=/)]);
      expect(second).not.toBe(first);
      await page.keyboard.press('Enter');
      expect(await page.locator('tr.details').count()).toBe(1);
      await show(hundreds);
      const touch = () =>
        plot.evaluate((element) => {
          const { left, top } = element.getBoundingClientRect();
          const place = { clientX: left + 10, clientY: top + 6, bubbles: true };
          element.dispatchEvent(new PointerEvent('click', { ...place, pointerType: 'touch' }));
        });
      await touch();
      expect(await named()).toMatch(/^len=/);
      expect(await page.locator('tr.details').count()).toBe(0);
      await touch();
      expect(await page.locator('tr.details').count()).toBe(1);
    });

    it('opens the row of a finding', async () => {
      await show(hundreds);
      await page.getByLabel('Search').fill('nothing');
      await page.locator('.findings button').first().click();
      expect(await page.locator('tr.details').count()).toBe(1);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
    });

    it('prints more rows than a page has, on white, without controls', async () => {
      await show(hundreds);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect((await names()).length).toBe(500);
      expect(await page.getByRole('searchbox').isVisible()).toBe(false);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
        'rgb(255, 255, 255)',
      );
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect((await names()).length).toBe(100);
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    });
  });
});
