import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { shownIn } from '@bench-cli/results';
import { html } from 'ghtml';
import { SYMBOLS } from '../picture/mark-style.ts';
import type { Fact } from '../session-facts.ts';
import { unbroken } from './browser/unbroken.ts';

interface PageDocument {
  readonly title: string;
  readonly style: string;
  /** A script in `browser/`, which the build bundles; default: none. */
  readonly script?: '#page-script' | '#history-script';
  readonly data?: unknown;
  readonly body: string;
}

/**
 * The frame of a page without network and other files. `html` escapes every value, except after `!`, which
 * marks escaped HTML. The content security policy allows only the script and the style of the page.
 */
export function renderDocument({ title, style, script: name, data, body }: PageDocument): string {
  const script = name && readFileSync(createRequire(import.meta.url).resolve(name), 'utf8');
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    ...(script === undefined ? [] : [`script-src '${digest(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shownIn('lines', title)}</title>
<style>!${style}</style>
</head>
<body>
<svg class="symbols" aria-hidden="true">!${SYMBOLS}</svg>
!${shownIn('lines', body)}
!${
    script === undefined
      ? ''
      : html`!${data === undefined ? '' : html`<script type="application/json" id="data">!${jsonForScript(data)}</script>`}
<script type="module">!${script}</script>`
  }
</body>
</html>
`;
}

/** The last line of a page: versions, CPU, date and runs. Empty for an empty text, which a CSV has. */
export function footer(text: string): string {
  return text === '' ? '' : html`<footer class="muted">!${unbroken(text)}</footer>`;
}

export function factSection(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const entries = facts.map(({ name, value }) => html`<dt>${name}</dt><dd>!${unbroken(value)}</dd>`);
  return html`<section aria-labelledby="environment"><h2 id="environment">Environment</h2><dl class="facts">!${entries}</dl></section>`;
}

/** A value as JSON for `<script>`, with texts safe to show. No tag can begin or end in it. */
function jsonForScript(value: unknown): string {
  const texts = (_: string, part: unknown) => (typeof part === 'string' ? shownIn('lines', part) : part);
  return JSON.stringify(value, texts).replace(/[<>]/g, (tag) => (tag === '<' ? '\\u003c' : '\\u003e'));
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
