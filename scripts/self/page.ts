import { statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { launchChromium, noChromium } from '../../packages/report/test/chromium.ts';
import { bin } from '../../test/support/command.ts';
import { temporarySuite } from '../../test/support/suite.ts';
import { type Budget, timeSideBySide } from './measurement.ts';

const comparisons = 5000;

/** Measures `bench-cli analyze --html` of 5,000 comparisons: its time, the size of the page, its first paint, and a filter. */
export async function measurePage(): Promise<Budget[] | string> {
  if (noChromium !== undefined) return `the page of ${comparisons} comparisons: ${noChromium}`;
  using directory = temporarySuite({});
  const [input, output] = [directory.path('results.csv'), directory.path('page.html')];
  writeFileSync(input, csv());
  const command = {
    name: 'report',
    command: process.execPath,
    args: [bin, 'analyze', input, '--html', output],
  };
  const [[totalMs = Number.NaN] = []] = await timeSideBySide([command], 1);
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(pathToFileURL(output).href);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const { paintMs, filterMs } = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const search = document.querySelector<HTMLInputElement>('#search');
    const start = performance.now();
    if (search) search.value = 'case=499';
    search?.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    return { paintMs: paint?.startTime ?? Number.NaN, filterMs: performance.now() - start };
  });
  const budget = (name: string, value: number, unit: string, limit: number): Budget => ({
    name: `the page of ${comparisons} comparisons, ${name}, ${unit}`,
    ours: `${value.toFixed(2)} ${unit}`,
    theirs: '-',
    ratios: [value],
    limit,
  });
  return [
    budget('writing it', totalMs / 1000, 's', 3),
    budget('its size', statSync(output).size / 1e6, 'MB', 5),
    budget('first paint', paintMs, 'ms', 1000),
    budget('a filter', filterMs, 'ms', 200),
  ];
}

/** Results as compare.js prints them, with 30 runs of each configuration under both subjects. */
function csv(): string {
  const lines = ['"binary","filename","configuration","rate","time"'];
  for (let at = 0; at < comparisons; at++) {
    const name = `"group${at % 20}/bench-${at % 50}.js","n=1000000 len=${2 ** (at % 12)} case=${at}"`;
    for (let run = 0; run < 30; run++) {
      for (const binary of ['old', 'new']) {
        const change = binary === 'new' && at % 9 === 0 ? -0.1 : 0;
        const rate = 1000 * (1 + (at % 977)) * (1 + change + ((run * 7919 + at * 31) % 101) / 2500);
        lines.push(`"${binary}",${name},${rate},1`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}
