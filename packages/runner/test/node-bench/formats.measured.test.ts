import { it } from 'vitest';
import { expectAllFormats } from './node-bench-session.ts';

it.each([
  ['node@18', false],
  ['node@22', true],
])('a file of node:bench runs under %s, in all formats', expectAllFormats);
