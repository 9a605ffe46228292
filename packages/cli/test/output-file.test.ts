import { globSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { writeOutput } from '../src/analysis/output-file.ts';

let files: TemporarySuite;
beforeEach(() => {
  files = temporarySuite({});
});
afterEach(() => files[Symbol.dispose]());

const page = '<!doctype html>\n<title>1</title>';

it.each([
  ['results', '{"type":"session"}\n'],
  ['the source of a benchmark', 'import { createBenchmark } from "@bench-cli/core";'],
  ['a text that is shorter than any page', 'x'],
])('an output never replaces %s, by any name', (_, text) => {
  const input = files.path('input');
  writeFileSync(input, text);
  linkSync(input, files.path('hard-link'));
  symlinkSync(input, files.path('symbolic-link'));
  for (const name of ['input', 'hard-link', 'symbolic-link']) {
    expect(() => writeOutput(files.path(name), page)).toThrow(errorWith('FILE_EXISTS', name));
  }
  expect(readFileSync(input, 'utf8')).toBe(text);
});

it('an output replaces one of its kind, an empty file, and what a link names', () => {
  const other = page.replace('1', '2');
  for (const text of [page, '']) {
    const file = files.path('page.html');
    writeFileSync(file, text);
    writeOutput(file, other);
    expect(readFileSync(file, 'utf8')).toBe(other);
  }
  symlinkSync('page.html', files.path('link.html'));
  writeOutput(files.path('link.html'), page);
  expect(readFileSync(files.path('page.html'), 'utf8')).toBe(page);
  expect(globSync('*.html', { cwd: files.directory }).sort()).toEqual(['link.html', 'page.html']);
});

it('an output that cannot be written leaves nothing', () => {
  expect(() => writeOutput(files.path('missing/page.html'), page)).toThrow(errorWith('WRITE', 'page.html'));
  expect(() => writeOutput('/dev/full', page)).toThrow(errorWith('WRITE', '/dev/full'));
  expect(globSync('*.html', { cwd: files.directory })).toEqual([]);
});
