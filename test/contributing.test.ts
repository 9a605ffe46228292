/** CONTRIBUTING.md is true, and lists that stand in several places agree. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { eventNames, libraries, metricNames, settings } from '@bench-cli/results/settings';
import { describe, expect, it } from 'vitest';
import { root } from './support/command.ts';

const exists = (path: string) => existsSync(join(root, path));
const read = (path: string) => (exists(path) ? readFileSync(join(root, path), 'utf8') : '');

describe('CONTRIBUTING.md', () => {
  const guide = read('CONTRIBUTING.md');
  const [, ways = ''] = /^## How to add$([\s\S]*?)^## /m.exec(guide) ?? [];

  it.each(ways.match(/^\d\. .*/gm) ?? [])('names files, and what stands in them: %s', (step) => {
    let file = '';
    const names = Array.from(step.matchAll(/`((?!npx)[^`]+)`/g), ([, name = '']) => name);
    const missing = names.filter((name) => {
      if (!/^[\w./-]+\/[\w.-]+$/.test(name)) return !read(file).includes(name);
      file = name;
      return !exists(file);
    });
    expect(missing, 'these files do not exist, or the file before the name does not have it').toEqual([]);
  });

  it('has five steps for each of five ways', () => {
    expect(ways.match(/^### .*\n\n(?:\d\. .*\n){5}\n/gm)?.length).toBe(5);
  });

  it('names commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const tests = globSync(['packages/*/test/**/*.test.ts', 'test/*.test.ts'], { cwd: root });
    const commands = Array.from(guide.matchAll(/npx -y pnpm (?:run )?([^`#\n]+)/g), ([, text = '']) => text);
    const wrong = commands.filter((command) => {
      const [script = '', ...words] = command.split(' ');
      // `pnpm test` does not run what measures.
      const run = tests.filter((path) => script !== 'test' || !path.includes('.measured.'));
      const isKnown = (word: string) => exists(word) || run.some((path) => path.includes(word));
      return (
        !(script === 'exec' || script in scripts) || !words.filter((it) => it.includes('/')).every(isKnown)
      );
    });
    expect(wrong, 'package.json has no such script, or the script runs no such test').toEqual([]);
  });
});

const tools = builtInBenchmarkers.filter(({ name }) => !name.startsWith('test-double'));
const toolNames = tools.map(({ name }) => name);
const loaders = libraries.map((module) => module.replace(':', '-'));
const plugins = 'packages/agent/src/library';

/** Places that must have each name of a list. */
const places: readonly (readonly [place: string, names: readonly string[]])[] = [
  ['docs/metrics.md', [...metricNames, ...eventNames].map((name) => `\`${name}\``)],
  ['docs/analysis.md', settings.format.kind.analyze.choices?.map((name) => `--format ${name}`) ?? []],
  ['docs/http-options.md', toolNames],
  ['packages/benchmarkers/README.md', toolNames],
  ...libraries.map((module, at) => [`${plugins}/${loaders[at]}.ts`, [`module: '${module}'`]] as const),
  [
    'packages/runner/test/declared/kinds.ts',
    libraries.flatMap((it) => (it === 'node:bench' ? [] : `from '${it}'`)),
  ],
  ['llms.txt', loaders],
];

it.each(places)('%s has each of %j', (place, names) => {
  const missing = names.filter((name) => !read(place).includes(name));
  expect(missing, `add these to ${place}, or remove them from the list of settings or tools`).toEqual([]);
});

it('docs/http-options.md names the tools that support each option', () => {
  const [, table = ''] = read('docs/http-options.md').split(/supported by.*\n/);
  const rows = table.split('\n\n')[0]?.matchAll(/^\| \[?`(\w+)`.*\| +(.*?) +\|$/gm) ?? [];
  for (const [, option, names = ''] of rows) {
    const able = tools.filter(({ supports }) => supports.some((each) => each === option));
    const given = names.startsWith('all') ? toolNames.join(', ') : names.replaceAll('`', '');
    expect(given, `the tools that support ${option}`).toBe(able.map(({ name }) => name).join(', '));
  }
});
