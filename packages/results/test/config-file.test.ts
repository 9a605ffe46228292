import { chmodSync, chownSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { configDefaults, findConfigFile } from '../src/settings/config-file.ts';

it.runIf(process.getuid?.() === 0).each([0o777, 0o1777, 0o2775])(
  'a config file of another user is refused in a directory with the mode %o',
  (mode) => {
    using files = temporarySuite({ 'above/bench-cli.config.mjs': '', 'above/project/x': '' });
    const file = files.path('above/bench-cli.config.mjs');
    expect(findConfigFile(files.path('above/project'))).toBe(file);
    chmodSync(files.path('above'), mode);
    expect(findConfigFile(files.path('above/project'))).toBe(file);
    chownSync(file, 1, 1);
    expect(() => findConfigFile(files.path('above/project'))).toThrow(errorWith('CONFIG_FILE', file));
  },
);

it.each<[defaults: object, ...values: string[]]>([
  [{ filter: ['a', 1] }, 'filter'],
  [{ filter: [Number.NaN] }, 'filter'],
  [{ runs: null }, 'runs'],
  [{ calibrate: 'false' }, 'calibrate', 'true or false'],
  [{ calibrate: -1 }, 'calibrate', 'true or false'],
])('a config file cannot set %j', async (defaults, ...values) => {
  using files = temporarySuite({
    'bench-cli.config.mjs': `export default { defaults: ${inspect(defaults)} }`,
  });
  const expected = errorWith('CONFIG_FILE', ...values);
  await expect(configDefaults(files.directory, 'compare')).rejects.toThrow(expected);
});

it.each([
  ['./node', 'run', ['./node']],
  ['./node', 'compare', undefined],
  [['./a', './b'], 'run', undefined],
  [['./a', './b'], 'compare', ['./a', './b']],
] as const)('a config file sets the subjects %j for %s: %j', async (subjects, command, expected) => {
  using files = temporarySuite({
    'bench-cli.config.mjs': `export default { defaults: { subjects: ${JSON.stringify(subjects)} } }`,
  });
  expect((await configDefaults(files.directory, command)).get('subjects')).toEqual(expected);
});
