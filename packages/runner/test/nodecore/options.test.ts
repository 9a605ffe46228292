import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allSettings, optionOf } from '@bench-cli/results/settings';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../test/support/command.ts';
import { skipWithout } from '../../../../test/support/tools.ts';

/** The tables of docs/node-core-options.md: what each script of Node core has, and what does it here. */
const [, section = ''] =
  /^## Every option.*?$([\s\S]*?)^## /m.exec(readFileSync(join(root, 'docs/node-core-options.md'), 'utf8')) ??
  [];
const tables = section
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [name = '', ...lines] = text.split('\n');
    const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.split(/(?<!\\)\|/));
    return { name, theirs: rows.map(([, cell = '']) => cell), ours: rows.map(([, , cell = '']) => cell) };
  });
const option = /(?<![\w=])--[a-z][\w-]*/g;
const words = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([word]) => word);

it.each(tables)('what the document gives in place of $name exists', ({ ours }) => {
  const known = Object.values(allSettings).map(optionOf);
  const unknown = new Set(words(ours.join(), option)).difference(new Set(known));
  expect(unknown, 'name options of docs/commands.md in docs/node-core-options.md').toEqual(new Set());
});

describe('the scripts of Node core', () => {
  skipWithout("Node core's benchmark suite");
  const suite = process.env['NODE_CORE_BENCHMARK'] ?? '';
  const read = (file: string) =>
    existsSync(join(suite, file)) ? readFileSync(join(suite, file), 'utf8') : '';

  it.each(tables.slice(0, -1))('$name has no option that the document lacks', ({ name, theirs }) => {
    const [, usage = ''] = /usage:([\s\S]*?)(?:`|"\))/.exec(read(name)) ?? [];
    const listed = usage
      .split('\n')
      .flatMap((line) => /^ {2}(--[\w-]+|test|all|coverage)\b/.exec(line)?.[1] ?? []);
    expect(new Set(listed).difference(new Set(words(theirs.join(), /(?:--)?[a-z][\w-]*/g)))).toEqual(
      new Set(),
    );
  });

  it('read no environment variable that the document lacks', () => {
    const texts = globSync('*.js', { cwd: suite }).map(read).join('\n');
    const variables = Array.from(texts.matchAll(/process\.env\.(\w+)/g), ([, name = '']) => name);
    expect(new Set(variables).difference(new Set(words(tables.at(-1)?.theirs.join() ?? '', /\w+/g)))).toEqual(
      new Set(),
    );
  });
});
