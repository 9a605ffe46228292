import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { writeOutput } from '../src/analysis/output-file.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bench-cli-output-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const page = '<!doctype html>\n<title>1</title>';
const inDirectory = (name: string) => join(directory, name);

it.each([
  ['results', '{"type":"session"}\n'],
  ['the source of a benchmark', 'import { createBenchmark } from "@bench-cli/core";'],
  ['a text that is shorter than any page', 'x'],
])('an output never replaces %s, by any name', (_, text) => {
  const input = inDirectory('input');
  writeFileSync(input, text);
  linkSync(input, inDirectory('hard-link'));
  symlinkSync(input, inDirectory('symbolic-link'));
  for (const name of ['input', 'hard-link', 'symbolic-link']) {
    expect(() => writeOutput(inDirectory(name), page)).toThrow(errorWith('FILE_EXISTS', name));
  }
  expect(readFileSync(input, 'utf8')).toBe(text);
});

it('an output replaces one of its kind, an empty file, and what a link names', () => {
  const other = page.replace('1', '2');
  for (const text of [page, '']) {
    const file = inDirectory('page.html');
    writeFileSync(file, text);
    writeOutput(file, other);
    expect(readFileSync(file, 'utf8')).toBe(other);
  }
  symlinkSync('page.html', inDirectory('link.html'));
  writeOutput(inDirectory('link.html'), page);
  expect(readFileSync(inDirectory('page.html'), 'utf8')).toBe(page);
  expect(readdirSync(directory)).toEqual(['link.html', 'page.html']);
});

it('an output that cannot be written leaves nothing', () => {
  expect(() => writeOutput(inDirectory('missing/page.html'), page)).toThrow(errorWith('WRITE', 'page.html'));
  expect(() => writeOutput('/dev/full', page)).toThrow(errorWith('WRITE', '/dev/full'));
  expect(readdirSync(directory)).toEqual([]);
});
