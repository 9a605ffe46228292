import { describe, expect, it } from 'vitest';
import { cutAt, wrapped } from '../src/terminal-columns.ts';

describe('a text for a terminal', () => {
  it.each([
    ['words', 'one two three', 8, ['one two', '..three']],
    ['wide characters', '日本 日本 日本', 9, ['日本 日本', '..日本']],
    ['combining marks', 'ne\u0301 ne\u0301 x', 5, ['ne\u0301 ne\u0301', '..x']],
    ['colours', '\x1b[31mred:\x1b[39m a b', 8, ['\x1b[31mred:\x1b[39m a b']],
    ['a number with its percent sign', 'up to 12 % of it', 9, ['up to', '..12 % of', '..it']],
    ['a word that is too long', 'a word-that-is-long b', 6, ['a', '..word-that-is-long', '..b']],
    ['blanks before the first word', '    | longer', 8, ['    |', '..longer']],
    [
      'a command in quotes',
      `add --commit "$(git rev-parse HEAD)" x`,
      14,
      ['add --commit', `.."$(git rev-parse HEAD)"`, '..x'],
    ],
    [
      'our command',
      'to go on: npx bench-cli run --runs 9 (or bench-cli check x)',
      12,
      ['to go on:', '..npx bench-cli run --runs 9', '..(or', '..bench-cli check x)'],
    ],
    ['its own lines', 'a b\nc d e', 4, ['a b', 'c d', '..e']],
  ])('is broken between words by its columns: %s', (_, text, width, lines) => {
    expect(wrapped(text, width, '..').split('\n')).toEqual(lines);
  });

  it.each([
    ['abc', 2, 'ab'],
    ['日本語', 5, '日本'],
    ['abc', 3, 'abc'],
    ['', 0, ''],
  ])('is cut by its columns: %s at %i', (text, width, start) => {
    expect(cutAt(width, text)).toBe(start);
  });
});
