import { expect, it } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { packageCommands } from '../src/package-manager.ts';

type Files = Readonly<Record<string, string>>;
const scripts = { build: 'tsc' };
const json = (fields: object) => JSON.stringify({ private: true, ...fields });

/** A parser that needs a core, which needs a builder; and a package that nothing needs. */
const members: Files = {
  'packages/builder/package.json': json({ name: 'builder', scripts, dependencies: { '@w/core': '*' } }),
  'packages/core/package.json': json({ name: '@w/core', scripts, devDependencies: { builder: '*' } }),
  'packages/parser/package.json': json({ name: 'parser', scripts, dependencies: { '@w/core': '*' } }),
  'packages/other/package.json': json({ name: 'constructor', scripts }),
};
const workspaces = ['packages/*'];

/** The files of a root, the directory of a package, and its commands. */
const cases: readonly (readonly [Files, directory: string, object])[] = [
  [{ 'package.json': json({}) }, '.', { manager: 'npm', install: 'npm install', build: undefined }],
  [
    { 'package.json': json({ workspaces }), 'package-lock.json': '' },
    'packages/parser',
    { prepare: '(cd ../.. && npm ci && npm run build -w builder -w @w/core -w parser)', setup: undefined },
  ],
  [
    { 'package.json': json({ workspaces, packageManager: 'yarn@4.9.1+sha512.a' }), 'yarn.lock': '' },
    'packages/parser',
    {
      prepare:
        '(cd ../.. && yarn install --immutable && yarn workspaces foreach -Rt --from parser run build)',
      setup: 'npm install -g @yarnpkg/cli-dist@4.9.1',
      start: 'yarn',
    },
  ],
  [
    { 'package.json': json({ workspaces }), '.yarnrc.yml': '' },
    'packages/other',
    { install: 'yarn install --immutable', setup: 'npm install -g @yarnpkg/cli-dist' },
  ],
  [
    { 'package.json': json({ workspaces: { packages: workspaces } }), 'yarn.lock': '' },
    'packages/core',
    {
      prepare:
        '(cd ../.. && yarn install && yarn workspace builder run build && yarn workspace @w/core run build)',
      setup: 'npm install -g yarn',
      start: 'npx',
    },
  ],
  [
    { 'package.json': json({ workspaces, packageManager: 'bun@1.3.1' }), 'bun.lock': '' },
    'packages/parser',
    { build: 'bun run --filter builder --filter @w/core --filter parser build' },
  ],
  // The file of the package manager counts more than the lockfile of another one.
  [
    { 'package.json': json({ scripts, packageManager: 'pnpm@10.1.0' }), 'package-lock.json': '' },
    '.',
    { prepare: 'pnpm install && pnpm run build', setup: 'npm install -g pnpm@10.1.0' },
  ],
  // A package below a lockfile that is no package of its workspace.
  [{ 'package.json': json({}), 'pnpm-lock.yaml': '' }, 'packages/core', { build: 'pnpm run build' }],
];

it.each([
  ['packages/parser', 'packages/core', 'pnpm --filter parser... run build'],
  ['packages/builder', 'packages/other', 'pnpm --filter builder... --filter constructor... run build'],
  ['.', 'packages/core', 'pnpm --filter @w/core... run build'],
  ['.', 'vendor/lib', '(cd vendor/lib && npm install && npm run build)'],
])('builds what %s loads of %s', (directory, loaded, build) => {
  const files = { 'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n", 'pnpm-lock.yaml': '' };
  const vendored = { 'vendor/lib/.git': '', 'vendor/lib/package.json': json({ scripts }) };
  using suite = temporarySuite({ ...members, ...files, ...vendored });
  expect(packageCommands(suite.path(directory), suite.path(loaded))).toMatchObject({ build });
});

it.each(cases)('knows how a package is installed and built: %j, %s', (files, directory, expected) => {
  using suite = temporarySuite({ ...members, ...files });
  expect(packageCommands(suite.path(directory))).toMatchObject(expected);
});
