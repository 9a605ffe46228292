import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { configDefaults, findConfigFile } from '../src/settings/config-file.ts';

it('a config file is found in the nearest directory above', () => {
  using files = temporarySuite({ 'above/bench-cli.config.mjs': '', 'above/project/x': '' });
  expect(findConfigFile(files.path('above/project'))).toBe(files.path('above/bench-cli.config.mjs'));
});

it.each([
  ['a property that throws', 'export default { get defaults() { throw new Error("no") } }', 'no'],
  ['a value that throws', 'export default { defaults: { get runs() { throw new Error("no") } } }', 'no'],
  ['a thrown text', 'throw "no"', 'no'],
  ['a thrown value without a text', 'throw Object.create(null)', 'loaded'],
  ['a revoked Proxy', 'const p = Proxy.revocable({}, {}); p.revoke(); export default p.proxy', 'revoked'],
  ['a Proxy', 'export default new Proxy({}, { ownKeys() { throw new Error("no") } })', 'no'],
  ['a syntax error', 'export default {', 'cannot be loaded'],
  ['no default export', 'export {}', 'default export'],
  ['a number', 'export default 5', 'default export'],
  [
    'an unknown key',
    'export default { benchmarker: [] }',
    '"benchmarker"; known: benchmarkers, clients, defaults: did you mean benchmarkers?',
  ],
  ['a setting as a key', 'export default { runs: 3 }', 'clients, defaults: write defaults: { runs: ... }'],
  ['an unknown setting', 'export default { defaults: { margn: 0.1 } }', '"margn": did you mean margin?'],
  ['a number in a list of texts', 'export default { defaults: { filter: ["a", 1] } }', 'filter'],
  ['NaN in a list of texts', 'export default { defaults: { filter: [NaN] } }', 'filter'],
  ['null for a number', 'export default { defaults: { runs: null } }', 'runs'],
  ['a text for a flag', 'export default { defaults: { allowSame: "false" } }', /allowSame.*true or false/],
  ['a number for a flag', 'export default { defaults: { allowSame: -1 } }', /allowSame.*true or false/],
  ['process.exit()', 'process.exit(0); export default {}', 'code 0'],
  ['process.exit() later', 'setTimeout(() => process.exit(), 1); await new Promise(() => {})', 'code 0'],
  ['an error later', 'setTimeout(() => { throw new Error("no") }, 1); await new Promise(() => {})', 'no'],
])('a config file with %s is refused', async (_, source, value) => {
  using files = temporarySuite({ 'bench-cli.config.mjs': source });
  const expected = errorWith('CONFIG_FILE', files.path('bench-cli.config.mjs'), value);
  const { exit } = process;
  await expect(configDefaults(files.directory, 'compare', {})).rejects.toThrow(expected);
  expect(process.exit).toBe(exit);
});

it.each([
  "process.chdir('/'); export default {}",
  "process.chdir('/'); throw 'no'",
  "export default { defaults: { get runs() { process.chdir('/'); return 2; } } }",
  'import { mkdirSync, rmdirSync } from "node:fs"; mkdirSync("DIR"); process.chdir("DIR"); rmdirSync("DIR"); export default {}',
])('a config file leaves the working directory as it is: %s', async (source) => {
  using files = temporarySuite({});
  const config = source.replaceAll('DIR', files.path('removed'));
  writeFileSync(files.path('bench-cli.config.mjs'), config);
  const cwd = process.cwd();
  await configDefaults(files.directory, 'compare', {}).catch(() => {});
  expect(process.cwd()).toBe(cwd);
});

it.each([
  ['./node', 'run', ['./node']],
  ['./node', 'compare', undefined],
  [['./a', './b'], 'run', ['./a', './b']],
  [['./a', './b'], 'compare', ['./a', './b']],
] as const)('a config file sets the subjects %j for %s: %j', async (subjects, command, expected) => {
  using files = temporarySuite({
    'bench-cli.config.mjs': `export default { defaults: { subjects: ${JSON.stringify(subjects)} } }`,
  });
  expect((await configDefaults(files.directory, command, {})).get('subjects')).toEqual(expected);
});
