import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import footnotes from 'markdown-it-footnote';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { pages } from '../pages.ts';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const root = resolve(import.meta.dirname, '../..');

function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(root, `${page}.md`), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

/** Files of the repository to which pages link, and which are no pages. */
const linkedFiles = new Set<string>();

/** A cell without text names no column. */
function emptyHeadersAreCells(md: MarkdownIt): void {
  md.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[at + 1]?.content !== '') continue;
      for (const cell of tokens.slice(at, at + 3)) if (cell.tag === 'th') cell.tag = 'td';
    }
  });
}

/** A link to a directory leads to its page, and a link to a file to a copy that browsers show as text. */
function prepareLinksAndCode(md: MarkdownIt): void {
  md.core.ruler.push('linked-files', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'code_inline') {
        // Braces in code are not those of a template.
        token.attrSet('v-pre', '');
        // The hyphens of an option are no place for a new line.
        if (/^\S{1,24}$/.test(token.content)) token.attrJoin('class', 'word');
      }
      const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
      if (href === '' || /^(?:[a-z]+:|#|\/)/.test(href)) continue;
      const path = resolve(dirname(env.path), href.replace(/#.*$/, ''));
      const kind = statSync(path, { throwIfNoEntry: false });
      if (kind?.isDirectory()) token.attrSet('href', `${href}/README.md`);
      if (!kind?.isFile() || path.endsWith('.md')) continue;
      linkedFiles.add(relative(root, path));
      token.attrSet('href', `/${relative(root, path)}.txt`);
    }
  });
}

export default defineConfig({
  title: 'bench-cli',
  description: 'Compares benchmarks of JavaScript and TypeScript, and says whether the answer can be trusted',
  // The directory of the site on its server, such as /bench-cli/.
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: root,
  srcExclude: ['{action,examples,scripts,test}/**', 'packages/*/!(README.md)', 'packages/*/*/**'],
  rewrites: { 'site/index.md': 'index.md' },
  outDir: resolve(import.meta.dirname, '../dist'),
  cacheDir: join(root, 'node_modules/.cache/vitepress'),
  markdown: {
    // As GitHub makes them.
    anchor: {
      slugify: (text) =>
        text
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: (md) => {
      md.use(footnotes);
      emptyHeadersAreCells(md);
      prepareLinksAndCode(md);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: Object.entries(pages).map(([text, group]) => ({
      text,
      items: group.map((page) => {
        const [path, name] = typeof page === 'string' ? [page, titleOf(page)] : page;
        return { text: name, link: `/${path}` };
      }),
    })),
  },
  buildEnd({ outDir }) {
    const report = join(outDir, 'example/report.html');
    for (const file of linkedFiles) {
      const copy = join(outDir, `${file}.txt`);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(root, file), copy);
    }
    mkdirSync(dirname(report), { recursive: true });
    const results = join(import.meta.dirname, '../example.jsonl');
    const command = join(root, 'packages/cli/bin/bench-cli.js');
    execFileSync(process.execPath, [command, 'analyze', results, '--html', report], { stdio: 'ignore' });
  },
});
