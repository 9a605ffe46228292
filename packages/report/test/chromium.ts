import { createReadStream, createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { extract } from 'tar';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { z } from 'zod';
import { temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const installed = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isInstalled = existsSync(installed);
/** The one of npm's `@sparticuz/chromium` needs no library of the machine but glibc. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** Why tests in a browser are skipped; undefined if there is a browser. */
export const noChromium =
  isInstalled || isPackaged
    ? undefined
    : `no Chromium at ${installed}: install it, or set CHROMIUM to its path`;

/** The page of a browser that tests share. */
export interface SharedPage {
  /** The page, from `beforeAll` on. */
  opened(): Page;
  /** Shows a file with this text. */
  show(html: string): Promise<unknown>;
  /** Errors, messages of its console and requests in one test, except those of the file itself. */
  readonly problems: readonly string[];
}

/** Tests in a browser. They are skipped, and say why, where there is none. */
export function describeInChromium(title: string, tests: (shared: SharedPage) => void): void {
  const skipped = noChromium === undefined ? '' : ` (skipped: ${noChromium})`;
  describe.skipIf(noChromium !== undefined)(`${title}${skipped}`, () => {
    const file = join(untilEnd(temporarySuite({})).directory, 'page.html');
    const problems: string[] = [];
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await launchChromium();
      page = await browser.newPage();
      page.setDefaultTimeout(60_000);
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => problems.push(message.text()));
      page.on('request', (request) => {
        if (request.url() !== `file://${file}`) problems.push(`request of ${request.url()}`);
      });
    });
    beforeEach(() => {
      problems.length = 0;
    });
    afterAll(() => browser.close());
    const show = (html: string) => {
      writeFileSync(file, html);
      return page.goto(`file://${file}`);
    };
    tests({ opened: () => page, show, problems });
  });
}

/** The browser that CHROMIUM names, the machine's, or the one among the development dependencies. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, libraries } = isInstalled ? { executablePath: installed } : await unpackChromium();
  const path = [libraries, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter);
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...(path !== '' && { LD_LIBRARY_PATH: path }) },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Rules of axe that a page violates, each with the first element. An expression, because a page can block further script elements. */
export function violationsOf(page: Page) {
  return page.evaluate(`${axe.source}; axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`);
}

/** Unpacks the browser once for each release of it, inside the clone. */
async function unpackChromium(): Promise<{ readonly executablePath: string; readonly libraries: string }> {
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(packed, '../package.json'), 'utf8')));
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
  const directory = join(cache, `chromium-${version}`);
  if (!existsSync(directory)) {
    await mkdir(cache, { recursive: true });
    const unfinished = await mkdtemp(`${directory}-`);
    const executable = join(unfinished, 'chromium');
    await pipeline(
      createReadStream(join(packed, 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(executable),
    );
    await chmod(executable, 0o755);
    await pipeline(
      createReadStream(join(packed, 'al2023.tar.br')),
      createBrotliDecompress(),
      extract({ cwd: unfinished }),
    );
    await rename(unfinished, directory).catch(() => rm(unfinished, { recursive: true }));
  }
  return { executablePath: join(directory, 'chromium'), libraries: join(directory, 'lib') };
}
