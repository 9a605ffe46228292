/// <reference lib="dom" />

import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInChromium, violationsOf } from '../packages/report/test/chromium.ts';
import { pages } from '../site/pages.ts';
import { root } from './support/command.ts';

const output = mkdtempSync(join(tmpdir(), 'bench-cli-site-'));
const base = '/bench-cli/';
/** The HTML of each page, without what is in its scripts, by its path in the site. */
let html: ReadonlyMap<string, string>;

beforeAll(async () => {
  const build = ['build', 'site', '--outDir', output];
  await execa('vitepress', build, { cwd: root, preferLocal: true, env: { SITE_BASE: base } });
  const files = globSync('**/*.html', { cwd: output });
  const withoutCode = (text: string) =>
    text.replaceAll(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, '$1</script>');
  html = new Map(files.map((file) => [file, withoutCode(readFileSync(join(output, file), 'utf8'))]));
});
afterAll(() => rmSync(output, { recursive: true }));

const attributes = (text: string, name: string) =>
  Array.from(text.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g')), ([, value = '']) => value);

describe('the site', () => {
  it('has every document in its sidebar', () => {
    const listed = Object.values(pages).flatMap((group) =>
      group.map((page) => `${typeof page === 'string' ? page : page[0]}.md`),
    );
    const documents = globSync(['*.md', 'docs/*.md', 'packages/*/README.md', 'benchmarks/README.md'], {
      cwd: root,
    });
    expect(listed.toSorted(), 'list each page in site/pages.ts').toEqual(documents.toSorted());
  });

  it('leads to pages, files and headings that it has', () => {
    const broken = [...html].flatMap(([page, text]) =>
      [...attributes(text, 'href'), ...attributes(text, 'src')]
        .filter((link) => {
          if (/^(?:https?:|data:|mailto:)/.test(link)) return false;
          const [path = '', anchor] = decodeURI(link).split('#');
          const inside = path.startsWith(base) ? path.slice(base.length) : posix.join(dirname(page), path);
          const target = path === '' ? page : inside.replace(/^$|\/$/, '$&index.html');
          if (globSync(target, { cwd: output }).length === 0) return true;
          return anchor !== undefined && !attributes(html.get(target) ?? '', 'id').includes(anchor);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(html.size).toBeGreaterThan(30);
    expect(broken).toEqual([]);
  });

  it('loads nothing from elsewhere', () => {
    const styles = globSync('assets/*.css', { cwd: output }).map((file) =>
      readFileSync(join(output, file), 'utf8'),
    );
    expect(styles.join('')).not.toMatch(/url\(["']?(?:https?:)?\/\//);
    const loaded = [...html.values()].flatMap((text) =>
      Array.from(text.matchAll(/<(?:script|link|img|iframe)\s[^>]*(?:src|href)="((?:https?:)?\/\/[^"]+)"/g)),
    );
    expect(loaded.map(([, url]) => url)).toEqual([]);
  });
});

describeInChromium('the site in Chromium', ({ opened }) => {
  const kinds = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  };
  const server = createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://site').pathname.replace(base, '').replace(/^$/, 'index.html');
    const [, kind = 'text/plain'] = Object.entries(kinds).find(([ending]) => path.endsWith(ending)) ?? [];
    response.setHeader('content-type', kind);
    if (globSync(path, { cwd: output }).length > 0) response.end(readFileSync(join(output, path)));
    else response.writeHead(404).end();
  });
  let tab: ReturnType<typeof opened>;

  const open = async (path: string, width: number, colorScheme: 'light' | 'dark') => {
    await tab.setViewportSize({ width, height: 800 });
    await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { port } = server.address() as AddressInfo;
    await tab.goto(`http://127.0.0.1:${port}${base}${path}`);
    // Its scripts have taken over.
    await tab.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
  };

  const widthOf = () => tab.evaluate(() => document.documentElement.scrollWidth);

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    tab = opened();
  });
  afterAll(() => server.close());

  const kindsOfPages = {
    front: '',
    text: 'docs/compare.html',
    tables: 'docs/commands.html',
    none: '404.html',
  };

  describe.each(Object.entries(kindsOfPages))('the page of the kind "%s"', (_, path) => {
    it.each([
      [375, 'light'],
      [1440, 'dark'],
    ] as const)('fits %i pixels in %s, and axe finds nothing', async (width, scheme) => {
      await open(path, width, scheme);
      expect(await widthOf()).toBe(width);
      expect(await violationsOf(tab)).toEqual([]);
      await tab.setViewportSize({ width: 768, height: 800 });
      expect(await widthOf()).toBe(768);
    });
  });

  it('finds a page by a word', async () => {
    await open('', 1440, 'light');
    await tab.getByRole('button', { name: 'Search' }).click();
    await tab.locator('#localsearch-input').fill('bisect');
    await tab.locator('#localsearch-list a').first().click();
    await tab.waitForURL(/bisect/);
  });
});
